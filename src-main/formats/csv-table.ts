import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import type { Dropped } from '../contract/import-report.ts'
import { type CsvRow, CsvRows, isFirstLineWhole, UNCLOSED } from './csv-rows.ts'
import { type DateOrder, dateInTable, orderOf } from './dates.ts'
import { droppedIn } from './fields.ts'

/**
 * Reads the cells of a row by the names of their columns, which are letters in lower case. Cells that no call asked for
 * are counted as left out.
 */
interface Row {
  line: number
  /** Returns the first of these columns that is not empty. */
  cell(...columns: string[]): string
  /** Returns the cells of these columns that are not empty, in the order of the file. */
  cells(...columns: string[]): string[]
  /** Returns the time in the first of these columns that holds one, in milliseconds since 1970. */
  date(...columns: string[]): number | undefined
}

interface CsvFormat {
  id: string
  name: string
  /** Whether a file with these columns and first rows is of this format. */
  fits(columns: string[], rows: CsvRow[]): boolean
  record(row: Row): ImportedRecord
}

/** Rows at the beginning that decide the order of days and months, and their text, in UTF-16 code units. */
const MAX_WAITING = { rows: 1000, text: 1_048_576 }

/** A format that is a CSV file with a row of column names. Columns may be in any order, and all but a few may lack. */
export function csvFormat({ id, name, fits, record }: CsvFormat): ImportFormat<ImportedRecord> {
  return {
    id,
    name,
    recognises(head) {
      const rows = new CsvRows(delimiterIn(head))
      const [columns, ...all] = withoutSeparatorLine([...rows.write(head), ...rows.end()])
      const sample = all.filter(({ cells }) => cells.some(isText)).slice(0, SAMPLE)
      return fits(columnNames(columns), sample)
    },
    reader() {
      let rows: CsvRows | undefined
      /** The first line so far, which decides the sign between cells. */
      let begun = ''
      let delimiter = ','
      let columns: string[] | undefined
      /** The first rows, until the order of their dates is known. */
      let waiting: CsvRow[] | undefined = []
      let waitingText = 0
      let orders: DateOrder[] = []

      function take(more: CsvRow[], isEnd: boolean): ImportedRecord[] {
        let found = more
        if (waiting) {
          for (const row of more) waiting.push(row)
          waitingText += more.reduce((sum, { cells }) => sum + cells.join('').length, 0)
          if (!isEnd && waiting.length < MAX_WAITING.rows && waitingText < MAX_WAITING.text) return []
          const [names, ...first] = withoutSeparatorLine(waiting)
          columns = columnNames(names)
          const sample = first.slice(0, MAX_WAITING.rows)
          orders = columns.map((_, index) => orderOf(sample.map(({ cells }) => cells[index] ?? '')))
          found = first
          waiting = undefined
        }
        return found.map((row) => recordOf(row, { columns: columns ?? [], orders, delimiter }))
      }

      function begin(): CsvRow[] {
        delimiter = delimiterIn(begun)
        rows = new CsvRows(delimiter)
        return rows.write(begun)
      }

      return {
        write(text) {
          if (rows) return take(rows.write(text), false)
          begun += text
          return isFirstLineWhole(begun) ? take(begin(), false) : []
        },
        end() {
          const found = rows ? [] : begin()
          return take([...found, ...(rows?.end() ?? [])], true)
        }
      }
    }
  }

  function recordOf({ cells, line, unclosed }: CsvRow, table: Table): ImportedRecord {
    /** The texts that were asked for: what another column repeats is not lost. */
    const read = new Set<string>()
    const dropped = new Set<Dropped>()
    const filled = cells
      .map((cell, index) => ({ cell, index, column: table.columns[index] ?? '' }))
      .filter(({ cell }) => isText(cell))
    const among = (columns: string[]) => filled.filter(({ column }) => columns.includes(column))
    const made = record({
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
        const all = among(columns).map(({ cell, index }) => ({ cell, time: dateInTable(cell, table.orders[index]) }))
        const time = all.find((one) => one.time !== undefined)?.time
        for (const one of all) {
          read.add(one.cell)
          if ((one.time === undefined || one.time !== time) && droppedIn({ dates: one.cell })) dropped.add('dates')
        }
        return time
      }
    })
    if (filled.some(({ cell, column }) => !read.has(cell) && !INTERNAL_COLUMNS.includes(column))) {
      dropped.add('other columns')
    }
    for (const what of made.dropped ?? []) dropped.add(what)
    const inside = rowsInside(cells, table)
    const kinds: Dropped[] = [...dropped, ...Array<Dropped>(inside).fill('rows inside quotes')]
    const all = { ...made, dropped: kinds.length > 0 ? kinds : undefined }
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

/** Counts the lines within cells that look like rows of the table: a quote before them should not be there. */
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

/** Columns that say nothing of a page to anybody but the program that wrote them. */
const INTERNAL_COLUMNS = words('id cursor domain')

/** A name without case, spaces and signs: `Saved date`, `saved_date` and `savedDate` are one column. */
function columnNames(row: CsvRow | undefined): string[] {
  return row?.cells.map((cell) => cell.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')) ?? []
}

/** The sign between cells: the one that Excel names in a line `sep=;`, or the one that the first line has most of. */
function delimiterIn(head: string): string {
  const [line = ''] = head.trimStart().split(/[\r\n]/, 1)
  const named = SEPARATOR_LINE.exec(line)?.[1]
  if (named !== undefined) return named
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).sign
}

const SEPARATOR_LINE = /^sep=([,;|\t])$/i

/** Removes Excel's line `sep=;` from the first rows, whose only sign ends its first cell. */
function withoutSeparatorLine(rows: CsvRow[]): CsvRow[] {
  const [first, ...others] = rows
  return first?.cells.length === 2 && /^sep=$/i.test(first.cells[0] ?? '') ? others : rows
}

/** First rows that decide whether a table is of a format. */
const SAMPLE = 50

export function words(text: string): string[] {
  return text.split(' ')
}

export function isText(text: string): boolean {
  return text.trim() !== ''
}
