import { type MessageDescriptor, type MessageOptions, type Messages, setupI18n, type Values } from '@lingui/core'

/** The language that the service wrote into the page; `en` if there is no page. */
const LANGUAGE = globalThis.document?.documentElement.lang || 'en'

/**
 * The language of the texts, in the region of the system: months keep their English names, and in Germany a number is
 * written 1.234 and a day 24 Nov 2026.
 */
export const locale = inSystemRegion(LANGUAGE, new Intl.NumberFormat().resolvedOptions().locale)

/** The texts of the window. English ones are in the code, so their catalog is empty. */
export const i18n = setupI18n({ locale: LANGUAGE, locales: locale, messages: { [LANGUAGE]: {} } })

/** Loads the page's language. Until then, and if a translation is missing, texts are English. */
export async function loadTexts(): Promise<void> {
  if (LANGUAGE === 'en') return
  const response = await fetch(`/locales/${LANGUAGE}.json`)
  if (response.ok) translateWith(await response.json())
}

/**
 * Translates all texts from now on. Lingui looks a translation up by an id beside each text in the code. These ids are
 * 2 kB of the first page, so only texts with a context have one; the others are looked up by their compiled English.
 */
export function translateWith(catalog: Messages): void {
  const { _: translate } = i18n
  i18n.load(LANGUAGE, catalog)
  i18n._ = ((text: MessageDescriptor | string | undefined, values?: Values, options?: MessageOptions) => {
    const {
      id,
      message,
      values: textValues
    }: Partial<MessageDescriptor> = typeof text === 'object' ? text : { id: text, message: options?.message }
    return translate.call(i18n, id ?? JSON.stringify(message), textValues ?? values, { ...options, message })
  }) as typeof translate
}

/** A whole number. */
export const number = new Intl.NumberFormat(locale).format

/** A share from 0 to 1, in whole percent. */
export const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format

/** At least two digits: 1.3, 13 and 134. */
const TWO_DIGITS = { maximumSignificantDigits: 2, maximumFractionDigits: 0, roundingPriority: 'morePrecision' } as const
const short = new Intl.NumberFormat(locale, TWO_DIGITS).format

/** The size of something in bytes. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${number(bytes)} B`
  return bytes < 1_000_000 ? `${short(bytes / 1000)} kB` : `${short(bytes / 1_000_000)} MB`
}

export const isRightToLeft = globalThis.document?.documentElement.dir === 'rtl'

/** The keys that lead to the start and to the end of a line. */
export const ARROWS = isRightToLeft
  ? { start: 'ArrowRight', end: 'ArrowLeft' }
  : { start: 'ArrowLeft', end: 'ArrowRight' }

/** Names in a row: “a, b, c”. */
export const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })

/**
 * Returns a language with the region of the system: `en-DE` for `en` on a system with `de`. If that form does not exist,
 * the language alone, or international English, `en-001`. A language that has a region keeps it.
 */
export function inSystemRegion(language: string, system: string): string {
  const tag = new Intl.Locale(language)
  if (tag.region) return language
  const regional = `${tag.language}-${new Intl.Locale(system).maximize().region}`
  if (new Intl.DateTimeFormat(regional).resolvedOptions().locale === regional) return regional
  return language === 'en' ? 'en-001' : language
}
