import { percentDecoded } from './address.ts'

/**
 * The words an address itself holds, for a page that does not tell its title: those of the last part of its path that
 * has any, otherwise of its site.
 */
export function addressWords(address: string): string {
  const url = new URL(address)
  const parts = url.pathname.split('/').map(wordsOf).filter(isSpoken)
  const words = parts.at(-1) ?? url.hostname.replace(/^www\./, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The name of the file an address leads to, or its site. */
export function fileName(address: string): string {
  const url = new URL(address)
  return percentDecoded(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)) || url.hostname
}

function wordsOf(part: string): string {
  return percentDecoded(part)
    .replace(/\.(html?|php|aspx?|jsp|pdf)$/i, '')
    .replace(/[-_+\s]+/g, ' ')
    .trim()
}

/** Numbers, dates and keys are no words. */
function isSpoken(words: string): boolean {
  return /\p{L}{3}/u.test(words) && !/^(?=.*\d)[\da-z]{12,}$/i.test(words) && !/^(index|default|home)$/i.test(words)
}
