import { setupI18n } from '@lingui/core'

const LANGUAGE = 'en'

/**
 * The language of the texts, in the region of the system: months keep their English names, and in Germany a number is
 * written 1.234 and a day 24 Nov 2026.
 */
export const locale = inSystemRegion(LANGUAGE, new Intl.NumberFormat().resolvedOptions().locale)

/** The texts of the window. English ones are in the code, so their catalog is empty. */
export const i18n = setupI18n({ locale: LANGUAGE, locales: locale, messages: { [LANGUAGE]: {} } })

/** A whole number. */
export const number = new Intl.NumberFormat(locale).format

/** A share from 0 to 1, in whole percent. */
export const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format

/** 1.3, 13 and 134. */
const TWO_DIGITS = { maximumSignificantDigits: 2, maximumFractionDigits: 0, roundingPriority: 'morePrecision' } as const
const short = new Intl.NumberFormat(locale, TWO_DIGITS).format

/** The size of something in bytes. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${number(bytes)} B`
  return bytes < 1_000_000 ? `${short(bytes / 1000)} kB` : `${short(bytes / 1_000_000)} MB`
}

/** Names in a row: “a, b, c”. */
export const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })

/** Returns `en-DE` for `de`, and the language as the world writes it where a region has no form of its own. */
export function inSystemRegion(language: string, system: string): string {
  const regional = `${language}-${new Intl.Locale(system).maximize().region}`
  return new Intl.DateTimeFormat(regional).resolvedOptions().locale === regional ? regional : `${language}-001`
}
