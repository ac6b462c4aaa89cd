import type messages from './_locales/en/messages.json'

type Key = keyof typeof messages

/** A key with a form for each number: `found` has `found_one` and `found_other`. */
type CountKey = { [K in Key]: K extends `${infer Name}_other` ? Name : never }[Key]

/** The language of the texts, which is the browser's if Earmark has it, in the browser's region. */
const language = text('language')
const region = new Intl.Locale(navigator.language).maximize().region
const locale = language === 'en' ? `en-${region}` : language
const number = new Intl.NumberFormat(locale)
const plurals = new Intl.PluralRules(language)

/** Returns a text of the extension. @param values replace `$1`, `$2` … */
export function text(key: Key, ...values: string[]): string {
  return chrome.i18n.getMessage(key, values)
}

export function countText(key: CountKey, count: number): string {
  return text(`${key}_${plurals.select(count)}` as Key, number.format(count))
}

export function dateText(time: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(time))
}

/**
 * Fills in the texts of a page: `data-text` names the key of an element's text, `data-label` and `data-placeholder` those of
 * its attributes.
 */
export function fillPage(): void {
  document.documentElement.lang = language
  document.documentElement.dir = text('@@bidi_dir' as Key)
  for (const element of document.querySelectorAll<HTMLElement>('[data-text], [data-label], [data-placeholder]')) {
    const { text: own, label, placeholder } = element.dataset
    if (own) element.append(text(own as Key))
    if (label) element.ariaLabel = text(label as Key)
    if (placeholder) element.setAttribute('placeholder', text(placeholder as Key))
  }
}
