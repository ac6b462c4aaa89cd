import type { ImportedItem, RecordReader } from '../contract/import-format.ts'

/** Writes a text in pieces that end where a line does, so that whoever reads it knows its line. */
export function writeLines(text: string, write: (piece: string) => void, lineEnded: () => void): void {
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    write(text.slice(start, at + 1))
    lineEnded()
    start = at + 1
  }
  if (start < text.length) write(text.slice(start))
}

/** A line longer than this is cut, in UTF-16 code units: longer than any record of any format needs. */
const LONGEST_LINE = 4_194_304

/**
 * Reads a format of one record a line.
 *
 * @param read gives the records of a line, without the line's end
 * @param end gives what the file's end completes
 */
export function lineReader<Item extends ImportedItem>(
  read: (text: string, line: number) => Item[],
  end: (line: number) => Item[] = () => []
): RecordReader<Item> {
  let begun = ''
  let line = 1
  return {
    write(text) {
      const found: Item[] = []
      writeLines(
        text,
        (piece) => {
          if (begun.length < LONGEST_LINE) begun += piece
        },
        () => {
          found.push(...read(begun.replace(/\r?\n$/, ''), line))
          begun = ''
          line += 1
        }
      )
      return found
    },
    end() {
      const found = begun === '' ? [] : read(begun, line)
      return [...found, ...end(line)]
    }
  }
}
