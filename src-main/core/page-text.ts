import type { PageText } from '../contract/page-details.ts'

/** Returns plain text as Markdown that reads the same. Lines that begin with `## ` are headings. */
export function markdownOfText(text: string): string {
  return text
    .replace(/^[ \t]+/gm, '')
    .replace(/^(## )?(.*)$/gm, (_, mark: string = '', words: string) => mark + escaped(words))
}

function escaped(words: string): string {
  return words
    .replace(/[\\`*_[\]<>&|~]/g, '\\$&')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')
    .replace(/^[#+=-]/, '\\$&')
}

/** Letters of Chinese and Japanese, which have no spaces, and of Korean, which Medium counts in the same way. */
const LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** Text in other scripts without spaces, which Intl.Segmenter divides into words with a dictionary. */
const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

let segmenter: Intl.Segmenter | undefined

/**
 * Returns the minutes that reading a text takes, at least 1: 238 words a minute (Brysbaert 2019, adults who read English
 * silently), and 500 letters of Chinese, Japanese and Korean (Medium, “Read time”).
 */
export function readingMinutes(text: string): number {
  const letters = text.match(LETTERS)?.length ?? 0
  const spaced = text.replace(LETTERS, ' ').replace(WITHOUT_SPACES, withSpaces)
  const words = spaced.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0
  return Math.max(1, Math.round(words / 238 + letters / 500))
}

function withSpaces(text: string): string {
  // Created when it is first needed: loading its dictionary takes 18 ms, which each start would wait for.
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment).join(' ')
}

/** Returns the addresses of the pictures in a text, each once, in the form in which `markdownOf` writes them. */
export function picturesIn({ markdown }: PageText): string[] {
  const addresses = [...(markdown ?? '').matchAll(PICTURE)].map(([, url = '']) => url.replace(/\\([^\w\s])/g, '$1'))
  return [...new Set(addresses)]
}

const PICTURE = /!\[(?:[^[\]\\\n]|\\.)*\]\((https?:(?:[^()\s\\]|\\.)*)\)/g
