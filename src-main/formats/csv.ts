import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import type { Dropped } from '../contract/import-report.ts'
import { countLineFeeds, type DateOrder, detectDateOrder, droppedIn, readTableDate } from './fields.ts'

/** Maximum length of a cell, in UTF-16 code units. The rest is ignored. No stored text is that long. */
const MAX_CELL_LENGTH = 1_048_576

/** Maximum number of cells of a row. Further cells are ignored. */
const MAX_CELLS = 1000

/** Why a row is rejected, if a quote in it is never closed. */
export const UNCLOSED = 'a quote that is never closed: the file is damaged or cut off here'

/** A row and the line it begins in. */
export interface CsvRow {
  cells: string[]
  line: number
  /** A quote in the row is never closed, so that the rest of the file is in one cell. */
  unclosed?: boolean
}

/**
 * Reads CSV (RFC 4180) row by row. As spreadsheets do, it accepts any line end, and only quotes at the beginning of a
 * cell enclose text. Empty lines are skipped. csv-parse is not used, because it counts a line end of two characters in
 * a quoted cell as two lines, drops a row whose quote is never closed, and returns all rows at once.
 *
 * @param delimiter one character; spreadsheets also use `;` and a tab
 */
export function* csvRows(text: string, delimiter = ','): Generator<CsvRow> {
  const end = new RegExp(`[${delimiter}\\r\\n]`, 'g')
  let line = 1
  for (let offset = 0; offset < text.length; line += 1) {
    const row: CsvRow = { cells: [], line }
    const start = offset
    for (let hasMore = true; hasMore; ) {
      let cell = ''
      for (let quotes = 0; text[offset] === '"'; quotes += 1) {
        const close = text.indexOf('"', offset + 1)
        if (close < 0) row.unclosed = true
        const part = text.slice(offset + (quotes === 0 ? 1 : 0), close < 0 ? text.length : close)
        line += countLineFeeds(part)
        if (cell.length < MAX_CELL_LENGTH) cell += part
        offset = close < 0 ? text.length : close + 1
      }
      end.lastIndex = offset
      const cellEnd = end.exec(text)?.index ?? text.length
      if (cellEnd > offset) cell += text.slice(offset, cellEnd)
      if (row.cells.length < MAX_CELLS) row.cells.push(cell.slice(0, MAX_CELL_LENGTH))
      offset = cellEnd
      hasMore = text[offset] === delimiter
      if (hasMore) offset += 1
    }
    if (offset > start) yield row
    offset += text.startsWith('\r\n', offset) ? 2 : 1
  }
}

/** Reads the cells of a row by the normalized names of columns. Cells that are never read count as dropped. */
interface Row {
  line: number
  /** Returns the first of these columns that is not empty. */
  cell(...columns: string[]): string
  /** Returns the cells of these columns that are not empty, in the order of the file. */
  cells(...columns: string[]): string[]
  /** Returns the first time in these columns, in milliseconds since 1970. */
  date(...columns: string[]): number | undefined
}

interface CsvFormat {
  id: string
  name: string
  /** Whether a file with these columns and first rows is of this format. */
  fits(columns: string[], rows: CsvRow[]): boolean
  record(row: Row): ImportedRecord
}

/** Number of rows that decide whether a table has a format. */
const FORMAT_SAMPLE = 50

/** Number of rows that decide the order of days and months. */
const DATE_SAMPLE = 1000

/** Maximum number of rows that are counted inside the quotes of one row. */
const MAX_ROWS_INSIDE = 10_000

/** Creates the format of a CSV file with a row of column names. Columns may have any order, and most may be absent. */
export function csvFormat({ id, name, fits, record }: CsvFormat): ImportFormat<ImportedRecord> {
  return {
    id,
    name,
    recognises(head) {
      const [names, ...rows] = rowsOf(head)
      const sample = rows.filter(({ cells }) => cells.some(isText)).slice(0, FORMAT_SAMPLE)
      return fits(names?.cells.map(columnName) ?? [], sample)
    },
    *read(text) {
      const table = readTable(text)
      let isHeader = true
      for (const row of rowsOf(text)) {
        if (!isHeader) yield recordOf(row, table)
        isHeader = false
      }
    }
  }

  function recordOf({ cells, line, unclosed }: CsvRow, table: Table): ImportedRecord {
    /** The texts that were read. Another column with the same text does not count as dropped. */
    const read = new Set<string>()
    const dropped = new Set<Dropped>()
    const filled = cells
      .map((cell, index) => ({ cell, index, column: table.columns[index] ?? '' }))
      .filter(({ cell }) => isText(cell))
    const among = (columns: string[]) => filled.filter(({ column }) => columns.includes(column))
    const result = record({
      line,
      cell(...columns) {
        const cell = among(columns)[0]?.cell ?? ''
        read.add(cell)
        return cell
      },
      cells(...columns) {
        const all = among(columns).map(({ cell }) => cell)
        for (const cell of all) read.add(cell)
        return all
      },
      date(...columns) {
        const all = among(columns).map(({ cell, index }) => ({ cell, time: readTableDate(cell, table.orders[index]) }))
        const first = all.find(({ time }) => time !== undefined)?.time
        for (const { cell, time } of all) {
          read.add(cell)
          if ((time === undefined || time !== first) && droppedIn({ dates: cell })) dropped.add('dates')
        }
        return first
      }
    })
    if (filled.some(({ cell, column }) => !read.has(cell) && !INTERNAL_COLUMNS.includes(column))) {
      dropped.add('other columns')
    }
    for (const kind of result.dropped ?? []) dropped.add(kind)
    const inside = rowsInside(cells, table)
    const kinds: Dropped[] = [
      ...dropped,
      ...Array<Dropped>(Math.min(inside, MAX_ROWS_INSIDE)).fill('rows inside quotes')
    ]
    const all = { ...result, dropped: kinds.length > 0 ? kinds : undefined }
    if (!unclosed) return all
    return { ...all, fault: inside > 0 ? `${UNCLOSED}. Rows after it that are lost: at least ${inside}` : UNCLOSED }
  }
}

interface Table {
  columns: string[]
  /** The order of the dates of each column. */
  orders: DateOrder[]
  delimiter: string
}

/** Reads the column names and the first rows. */
function readTable(text: string): Table {
  const first: CsvRow[] = []
  for (const row of rowsOf(text)) if (first.push(row) > DATE_SAMPLE) break
  const [names, ...sample] = first
  const columns = names?.cells.map(columnName) ?? []
  const orders = columns.map((_, index) => detectDateOrder(sample.map(({ cells }) => cells[index] ?? '')))
  return { columns, orders, delimiter: delimiterIn(text) }
}

/** Counts the lines inside cells that look like rows of the table. They show that a quote is a mistake. */
function rowsInside(cells: string[], { columns, delimiter }: Table): number {
  const index = columns.findIndex((column) => URL_COLUMNS.includes(column))
  return cells
    .filter((cell) => /[\r\n]/.test(cell))
    .flatMap((cell) => cell.split(/\r\n?|\n/).slice(1))
    .map((row) => row.split(delimiter))
    .filter((row) => row.length >= columns.length && /^\s*"?https?:\/\//i.test(row[index] ?? '')).length
}

/** Names of the column of addresses. */
export const URL_COLUMNS = words('url link address href uri website webaddress originalurl pageurl')

/** Columns that mean nothing outside the program that wrote them. */
const INTERNAL_COLUMNS = words('id cursor domain')

/** Normalizes the name of a column: `Saved date`, `saved_date` and `savedDate` become `saveddate`. */
function columnName(cell: string): string {
  return cell.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Returns the delimiter that Excel names in a line `sep=;`, or the most frequent one in the first line. */
function delimiterIn(head: string): string {
  const [line = ''] = head.trimStart().split(/[\r\n]/, 1)
  const named = SEPARATOR_LINE.exec(line)?.[1]
  if (named !== undefined) return named
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign
}

const SEPARATOR_LINE = /^sep=([,;|\t])$/i

/** Yields the rows of a table, without Excel's line `sep=;`. */
function* rowsOf(text: string): Generator<CsvRow> {
  let isFirst = true
  for (const row of csvRows(text, delimiterIn(text))) {
    const isSeparatorLine = isFirst && row.cells.length === 2 && /^sep=$/i.test(row.cells[0] ?? '')
    isFirst = false
    if (!isSeparatorLine) yield row
  }
}

export function words(text: string): string[] {
  return text.split(' ')
}

export function isText(text: string): boolean {
  return text.trim() !== ''
}
