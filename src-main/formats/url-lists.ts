import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { writtenFault } from '../core/address.ts'
import { type CsvRow, CsvRows, isFirstLineWhole, UNCLOSED } from './csv-rows.ts'
import { droppedIn } from './fields.ts'
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
      return text.trim() === '' ? [] : [record(line, url, title.join(BETWEEN))]
    })
}

/** An address a line; blank lines and those that begin with `#` are no records. */
export const urlList: ImportFormat<ImportedRecord> = {
  id: 'urls',
  name: 'list of URLs',
  recognises: isMostlyAddresses,
  reader: () => lineReader((text, line) => (/^\s*(#|$)/.test(text) ? [] : [record(line, text, '')]))
}

/** A line has no quotes around its address, so white space in it is a fault. */
function record(line: number, url: string, title: string): ImportedRecord {
  const fault = url.trim() === '' ? undefined : writtenFault(url.trim())
  return { line, url, title, description: '', tags: [], fault }
}

/** A table without column names: an address, its title, and cells that are not kept. */
export const unnamedTable: ImportFormat<ImportedRecord> = {
  id: 'table',
  name: 'CSV without names of columns, addresses first and titles second',
  recognises: (head) => tableIn(linesOf(head)) === 'addresses and titles',
  reader() {
    let rows: CsvRows | undefined
    let begun = ''
    const begin = () => {
      rows = new CsvRows(signIn(linesOf(begun)[0] ?? ''))
      return rows.write(begun)
    }
    return {
      write(text) {
        if (rows) return rows.write(text).map(recordOfRow)
        begun += text
        return isFirstLineWhole(begun, COMMENTS) ? begin().map(recordOfRow) : []
      },
      end: () => [...(rows ? [] : begin()), ...(rows?.end() ?? [])].map(recordOfRow)
    }
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

/** Blank lines and lines that begin with `#` at the beginning of a text. */
const COMMENTS = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*/

function linesOf(head: string): string[] {
  const lines = head.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line))
  return head.length > 1000 && lines.length > 1 ? lines.slice(0, -1) : lines // the last may be cut off
}

function isMostlyAddresses(head: string): boolean {
  const lines = linesOf(head)
  if (tableIn(lines) !== undefined) return false
  const addresses = lines.filter((line) => /^\s*(https?:\/\/|www\.)[^\s<>"]+(\s*$| \| )/i.test(line))
  return addresses.length > 0 && addresses.length * 2 >= lines.length
}

/** The signs between cells, the one that is rarest in addresses first. */
const SIGNS = ['\t', '|', ';', ',']

/** The first sign behind which a line has cells that are no part of an address. */
function signIn(line: string): string {
  return SIGNS.find((sign) => cellsIn(line, sign).length > 1 && isRow(cellsIn(line, sign))) ?? ','
}

function cellsIn(line: string, sign: string): string[] {
  const rows = new CsvRows(sign)
  return [...rows.write(line), ...rows.end()][0]?.cells ?? []
}

/**
 * Whether lines are a table without column names. Addresses may hold commas and semicolons, too: a table has words,
 * blanks or dates behind them in nearly every line. One line of words alone may be either.
 */
function tableIn(lines: string[]): 'addresses and titles' | 'unclear' | undefined {
  const sign = signIn(lines[0] ?? '')
  const all = lines.map((line) => cellsIn(line, sign))
  const rows = all.filter((cells) => cells.length > 1)
  const likely = rows.filter(isRow)
  if (rows.length * 2 < all.length || likely.length < rows.length * 0.9 || likely.length === 0) return undefined
  // OneTab's lines have blanks around their bar.
  if (sign === '|' && lines.some((line) => line.includes(BETWEEN))) return undefined
  const hasDates = likely.filter(([, second = '']) => DATE.test(second)).length * 2 > likely.length
  const isSure = likely.length > 1 || likely.some(([, ...others]) => others.some((cell) => /\s/.test(cell.trim())))
  return hasDates || !isSure ? 'unclear' : 'addresses and titles'
}

/** An address, and behind it cells that cannot or hardly be part of one. */
function isRow([first = '', ...others]: string[]): boolean {
  if (!/^\s*(https?:\/\/|www\.)[^\s<>"]+\s*$/i.test(first)) return false
  return others.some((cell) => /\S\s+\S|[^\0-\x7f]/.test(cell) || DATE.test(cell)) || others.every(isWord)
}

function isWord(cell: string): boolean {
  return /^\s*(?:[a-z][\w'’+-]*)?\s*$/i.test(cell)
}

/** A date, or a time as a number. */
const DATE = /^\s*(?:\d{4}-\d\d-\d\d|1\d{9}(?:\d{3}){0,2}\s*$)/
