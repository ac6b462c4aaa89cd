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

/** Returns the addresses of the pictures in a text, each once, in the form in which `markdownOf` writes them. */
export function picturesIn({ markdown }: PageText): string[] {
  const addresses = [...(markdown ?? '').matchAll(PICTURE)].map(([, url = '']) => url.replace(/\\([^\w\s])/g, '$1'))
  return [...new Set(addresses)]
}

const PICTURE = /!\[(?:[^[\]\\\n]|\\.)*\]\((https?:(?:[^()\s\\]|\\.)*)\)/g
