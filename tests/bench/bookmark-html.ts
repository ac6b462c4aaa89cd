import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createCorpus } from './corpus.ts'

/** Entries of a folder, as people have them. */
const FOLDER = 200

/**
 * Writes a Netscape bookmark file as browsers export it.
 *
 * @returns some words that are in it
 */
export async function bookmarkHtml(file: string, rows: number): Promise<string[]> {
  const corpus = createCorpus(7)
  const out = createWriteStream(file)
  const words: string[] = []
  out.write('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n')
  for (let row = 0; row < rows; row += 1) {
    if (row % FOLDER === 0)
      out.write(`${row > 0 ? '</DL><p>\n' : ''}<DT><H3 ADD_DATE="1500000000">Folder ${row / FOLDER}</H3>\n<DL><p>\n`)
    const { url, title, description, tags, createdAt } = corpus.next()
    const tagged = tags.length > 0 ? ` TAGS="${escaped(tags.join(','))}"` : ''
    const item = `<DT><A HREF="${escaped(url ?? '')}" ADD_DATE="${Math.floor(createdAt / 1000)}"${tagged}>${escaped(title)}</A>\n`
    const more = description === '' ? '' : `<DD>${escaped(description)}\n`
    if (!out.write(item + more)) await once(out, 'drain')
    const word = title.split(' ').at(-1)
    if (words.length < 200 && row % 7 === 0 && word) words.push(word)
  }
  out.end('</DL><p>\n</DL><p>\n')
  await once(out, 'close')
  return words
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
