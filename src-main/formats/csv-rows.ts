/** Longest cell that is kept, in UTF-16 code units: more than any text that is stored. */
const LONGEST_CELL = 1_048_576

/** Cells that are kept of a row. */
const MOST_CELLS = 1000

/** Why a row is no record, if a quote in it is never closed. */
export const UNCLOSED = 'a quote that is never closed: the file is damaged or cut off here'

/** How much of a file is read, at most, in search of its first line's end, in UTF-16 code units. */
const MAX_FIRST_LINE = 65_536

/**
 * Whether the beginning of a table holds its first line, which decides the sign between cells, or enough of it.
 *
 * @param skipped matches what stands before that line
 */
export function isFirstLineWhole(begun: string, skipped = /^\s*/): boolean {
  return begun.length >= MAX_FIRST_LINE || /[\r\n]/.test(begun.replace(skipped, ''))
}

/** A row and the line it begins in. */
export interface CsvRow {
  cells: string[]
  line: number
  /** A quote in it was never closed: the file is cut off, or everything since is in one cell. */
  unclosed?: boolean
}

/**
 * Reads CSV (RFC 4180) piece by piece, and holds one row at most, of a bounded length. As spreadsheets do, it takes any
 * line end, and a quote only at a cell's beginning for one that encloses. Lines with nothing in them are no rows.
 */
export class CsvRows {
  #cells: string[] = []
  #cell = ''
  #state: 'start' | 'plain' | 'quoted' | 'quote in quoted' = 'start'
  #line = 1
  #rowLine = 1
  #rows: CsvRow[] = []
  #afterCr = false
  readonly #delimiter: string
  readonly #signs: string

  /** @param delimiter one character; spreadsheets also use `;` and a tab */
  constructor(delimiter = ',') {
    this.#delimiter = delimiter
    this.#signs = `${delimiter}"\r\n`
  }

  write(text: string): CsvRow[] {
    let at = 0
    while (at < text.length) {
      if (this.#state === 'quoted') at = this.#readQuoted(text, at)
      else at = this.#readSign(text, at)
    }
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  end(): CsvRow[] {
    const unclosed = this.#state === 'quoted'
    this.#endRow()
    const rows = this.#rows
    const last = rows.at(-1)
    if (unclosed && last) last.unclosed = true
    return rows
  }

  #readSign(text: string, at: number): number {
    const sign = text[at] as string
    const afterCr = this.#afterCr
    this.#afterCr = false
    switch (sign) {
      case '\n':
        if (afterCr) break // the second half of a line's end
        this.#endLine()
        break
      case '\r':
        this.#endLine()
        this.#afterCr = true
        break
      case this.#delimiter:
        this.#endCell()
        this.#state = 'start'
        break
      case '"':
        if (this.#state === 'plain') this.#add('"')
        else {
          if (this.#state === 'quote in quoted') this.#add('"')
          this.#state = 'quoted'
        }
        break
      default:
        return this.#readPlain(text, at)
    }
    return at + 1
  }

  #readPlain(text: string, from: number): number {
    let at = from
    while (at < text.length && !this.#signs.includes(text[at] as string)) at += 1
    this.#add(text.slice(from, at))
    this.#state = 'plain'
    return at
  }

  #readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from)
    const end = quote < 0 ? text.length : quote
    const part = text.slice(from, end)
    this.#add(part)
    for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) this.#line += 1
    if (quote < 0) return end
    this.#state = 'quote in quoted'
    return end + 1
  }

  #add(text: string): void {
    if (this.#cell.length < LONGEST_CELL) this.#cell += text
  }

  #endCell(): void {
    if (this.#cells.length < MOST_CELLS) this.#cells.push(this.#cell)
    this.#cell = ''
  }

  #endLine(): void {
    this.#endRow()
    this.#line += 1
    this.#rowLine = this.#line
  }

  #endRow(): void {
    const isEmpty = this.#cells.length === 0 && this.#cell === '' && this.#state === 'start'
    if (!isEmpty) {
      this.#endCell()
      this.#rows.push({ cells: this.#cells, line: this.#rowLine })
    }
    this.#cells = []
    this.#cell = ''
    this.#state = 'start'
  }
}
