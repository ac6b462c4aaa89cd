/**
 * The language of these texts, in the region of the system: months keep their English names, and in Germany a number is
 * written 1.234 and a day 24 Nov 2026. A translation changes the language here.
 */
export const locale = inSystemRegion('en', new Intl.NumberFormat().resolvedOptions().locale)

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

const RULES = new Intl.PluralRules(locale)

/** A text for each kind of count that the language has. English has two; `other` stands in for those not given. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The form that a count asks for. */
export function plural(count: number, forms: Forms): string {
  return forms[RULES.select(count)] ?? forms.other
}

/** A count and its noun: “1 tag”, “1,234 tags”. */
export function counted(count: number, forms: Forms): string {
  return `${number(count)} ${plural(count, forms)}`
}

/** Returns `en-DE` for `de`, and the language as the world writes it where a region has no form of its own. */
export function inSystemRegion(language: string, system: string): string {
  const regional = `${language}-${new Intl.Locale(system).maximize().region}`
  return new Intl.DateTimeFormat(regional).resolvedOptions().locale === regional ? regional : `${language}-001`
}
