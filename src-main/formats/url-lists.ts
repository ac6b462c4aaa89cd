import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { lineReader } from './lines.ts'

/** The separator OneTab writes between an address and its title. An address holds no space. */
const BETWEEN = ' | '

/** OneTab's export: `URL | Title` a line, with blank lines between groups. */
export const oneTab: ImportFormat<ImportedRecord> = {
  id: 'onetab',
  name: 'OneTab',
  recognises: (head) => isMostlyAddresses(head) && linesOf(head).some((line) => line.includes(BETWEEN)),
  reader: () =>
    lineReader((text, line) => {
      const [url = '', ...title] = text.split(BETWEEN)
      return text.trim() === '' ? [] : [{ line, url, title: title.join(BETWEEN), description: '', tags: [] }]
    })
}

/** An address a line; blank lines and those that begin with `#` are no records. */
export const urlList: ImportFormat<ImportedRecord> = {
  id: 'urls',
  name: 'list of URLs',
  recognises: isMostlyAddresses,
  reader: () =>
    lineReader((text, line) =>
      /^\s*(#|$)/.test(text) ? [] : [{ line, url: text, title: '', description: '', tags: [] }]
    )
}

function linesOf(head: string): string[] {
  const lines = head.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line))
  return head.length > 1000 && lines.length > 1 ? lines.slice(0, -1) : lines // the last may be cut off
}

function isMostlyAddresses(head: string): boolean {
  const lines = linesOf(head)
  if (isTable(lines)) return false
  const addresses = lines.filter((line) => /^\s*(https?:\/\/|www\.)[^\s<>"]+(\s*$| \| )/i.test(line))
  return addresses.length > 0 && addresses.length * 2 >= lines.length
}

/** Whether each line is an address and further cells, as in a table without column names. */
function isTable(lines: string[]): boolean {
  return (
    lines.length > 0 &&
    lines.every((line) => /^"?[^,;"]+"?[,;]\s*("|\d{4}-\d\d-\d\d|1\d{9}(\d{3}){0,2}\s*([,;]|$)|[,;]|$)/.test(line))
  )
}
