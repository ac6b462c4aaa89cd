/** The languages of the dashboard, the capture window, the menus and the browser extension, by their own names. */
export const LANGUAGES = {
  en: 'English',
  ar: 'العربية',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  ru: 'Русский',
  'zh-CN': '简体中文'
}

export type Language = keyof typeof LANGUAGES

const CODES = Object.keys(LANGUAGES) as Language[]

/** The choices in Settings. `system` is the language of the browser or desktop. */
export const LANGUAGE_CHOICES = ['system', ...CODES] as const

/**
 * Returns the first of the preferred languages that Earmark has, or English.
 *
 * @param preferred language tags (BCP 47), the most preferred first. A region makes no difference, a script does: a
 *   reader of traditional Chinese gets English rather than simplified Chinese.
 */
export function pickLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const language = CODES.find((code) => scriptOf(code) === scriptOf(tag))
    if (language) return language
  }
  return 'en'
}

/** Returns language and script, such as `de-Latn`; the tag itself if it is not a language tag. */
function scriptOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return tag
  }
}

const RIGHT_TO_LEFT: string[] = ['ar']

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr'
}
