import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { writtenFault } from '../core/address.ts'
import { type CsvRow, csvRows, UNCLOSED } from './csv.ts'
import { droppedIn, splitLines } from './fields.ts'

/** The separator OneTab writes between an address and its title. An address contains no space. */
const SEPARATOR = ' | '

/** OneTab's export: `URL | Title` on each line, with blank lines between groups. */
export const oneTab: ImportFormat<ImportedRecord> = {
  id: 'onetab',
  name: 'OneTab',
  recognises: (head) => isMostlyAddresses(head) && sampleLines(head).some((line) => line.includes(SEPARATOR)),
  read: (text) =>
    recordsOfLines(text, (line) => {
      const [url = '', ...title] = line.split(SEPARATOR)
      return line.trim() === '' ? undefined : { url, title: title.join(SEPARATOR) }
    })
}

/** An address on each line. Blank lines and lines that begin with `#` are skipped. */
export const urlList: ImportFormat<ImportedRecord> = {
  id: 'urls',
  name: 'list of URLs',
  recognises: isMostlyAddresses,
  read: (text) => recordsOfLines(text, (line) => (isSkipped(line) ? undefined : { url: line, title: '' }))
}

/** Maximum length of a line, in UTF-16 code units. The rest is ignored. No address with its title is that long. */
const MAX_LINE_LENGTH = 1_048_576

function* recordsOfLines(
  text: string,
  fieldsOf: (line: string) => { url: string; title: string } | undefined
): Generator<ImportedRecord> {
  let line = 0
  for (const whole of splitLines(text)) {
    line += 1
    const fields = fieldsOf(whole.slice(0, MAX_LINE_LENGTH).replace(/\r?\n$/, ''))
    if (!fields) continue
    const address = fields.url.trim()
    // The address is not in quotes, so white space in it is a fault.
    yield {
      line,
      ...fields,
      description: '',
      tags: [],
      fault: address === '' ? undefined : writtenFault(address)?.fault
    }
  }
}

/** A table without column names: an address, its title, and cells that are not imported. */
export const unnamedTable: ImportFormat<ImportedRecord> = {
  id: 'table',
  name: 'CSV without names of columns, addresses first and titles second',
  recognises: (head) => tableIn(sampleLines(head)) === 'addresses and titles',
  *read(text) {
    for (const row of csvRows(text, delimiterIn(firstLine(text)))) yield recordOfRow(row)
  }
}

function recordOfRow({ cells: [url = '', title = '', ...others], line, unclosed }: CsvRow): ImportedRecord {
  return {
    line,
    url,
    title,
    description: '',
    tags: [],
    dropped: droppedIn({ 'other columns': others.filter((cell) => cell.trim() !== '') }),
    fault: unclosed ? UNCLOSED : undefined
  }
}

/** The first line that is neither blank nor a comment. */
function firstLine(text: string): string {
  for (const line of splitLines(text)) if (!isSkipped(line)) return line.replace(/\r?\n$/, '')
  return ''
}

function isSkipped(line: string): boolean {
  return /^\s*(#|$)/.test(line)
}

function sampleLines(head: string): string[] {
  const lines = head.split(/\r?\n/).filter((line) => !isSkipped(line))
  return head.length > 1000 && lines.length > 1 ? lines.slice(0, -1) : lines // the last may be cut off
}

function isMostlyAddresses(head: string): boolean {
  const lines = sampleLines(head)
  if (tableIn(lines) !== undefined) return false
  const addresses = lines.filter((line) => /^\s*(https?:\/\/|www\.)[^\s<>"]+(\s*$| \| )/i.test(line))
  return addresses.length > 0 && addresses.length * 2 >= lines.length
}

/** The delimiters of cells, the rarest in addresses first. */
const DELIMITERS = ['\t', '|', ';', ',']

/** Returns the first delimiter that separates an address from cells that cannot be part of the address. */
function delimiterIn(line: string): string {
  return DELIMITERS.find((sign) => cellsIn(line, sign).length > 1 && isRow(cellsIn(line, sign))) ?? ','
}

function cellsIn(line: string, delimiter: string): string[] {
  const [row] = csvRows(line, delimiter)
  return row?.cells ?? []
}

/**
 * Whether lines are a table without column names. Addresses may contain commas and semicolons too, so a table must have
 * words, blanks or dates after the delimiter in nearly every line. A single line with only words after the delimiter is
 * unclear.
 */
function tableIn(lines: string[]): 'addresses and titles' | 'unclear' | undefined {
  const delimiter = delimiterIn(lines[0] ?? '')
  const all = lines.map((line) => cellsIn(line, delimiter))
  const rows = all.filter((cells) => cells.length > 1)
  const likely = rows.filter(isRow)
  if (rows.length * 2 < all.length || likely.length < rows.length * 0.9 || likely.length === 0) return undefined
  // OneTab's lines have blanks around their bar.
  if (delimiter === '|' && lines.some((line) => line.includes(SEPARATOR))) return undefined
  const hasDates = likely.filter(([, second = '']) => DATE.test(second)).length * 2 > likely.length
  const isSure = likely.length > 1 || likely.some(([, ...others]) => others.some((cell) => /\s/.test(cell.trim())))
  return hasDates || !isSure ? 'unclear' : 'addresses and titles'
}

/** Whether the first cell is an address and the others cannot be part of it. */
function isRow([first = '', ...others]: string[]): boolean {
  if (!/^\s*(https?:\/\/|www\.)[^\s<>"]+\s*$/i.test(first)) return false
  return others.some((cell) => /\S\s+\S|[^\0-\x7f]/.test(cell) || DATE.test(cell)) || others.every(isWord)
}

function isWord(cell: string): boolean {
  return /^\s*(?:[a-z][\w'’+-]*)?\s*$/i.test(cell)
}

/** A date, or a time as a number. */
const DATE = /^\s*(?:\d{4}-\d\d-\d\d|1\d{9}(?:\d{3}){0,2}\s*$)/
