import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { type CsvRow, CsvRows } from './csv-rows.ts'

/** The first row, as far as it is in the head. */
function headerIn(head: string): string[] {
  const rows = new CsvRows()
  const [first] = [...rows.write(head), ...rows.end()]
  return namesOf(first?.cells ?? [])
}

function namesOf(cells: string[]): string[] {
  return cells.map((cell) => cell.trim().toLowerCase())
}

/**
 * A format that is a CSV file with a row of column names.
 *
 * @param needs columns that tell it from other formats; all others may lack, and stand in any order
 * @param recordOf makes a record of a row; a column the file lacks is empty
 */
export function csvFormat(
  { id, name, needs }: { id: string; name: string; needs: string[] },
  recordOf: (cell: (column: string) => string, line: number) => ImportedRecord
): ImportFormat<ImportedRecord> {
  function records(rows: CsvRow[], columns: string[]): ImportedRecord[] {
    return rows.map(({ cells, line, unclosed }) => {
      const record = recordOf((column) => cells[columns.indexOf(column)] ?? '', line)
      return unclosed
        ? { ...record, fault: 'a quote that is never closed: the file is damaged or cut off here' }
        : record
    })
  }

  return {
    id,
    name,
    recognises(head) {
      const columns = headerIn(head)
      return needs.every((column) => columns.includes(column))
    },
    reader() {
      const rows = new CsvRows()
      let columns: string[] | undefined
      const take = (found: CsvRow[]) => {
        columns ??= namesOf(found.shift()?.cells ?? [])
        return records(found, columns)
      }
      return {
        write(text) {
          const found = rows.write(text)
          return found.length === 0 ? [] : take(found)
        },
        end() {
          const found = rows.end()
          return found.length === 0 ? [] : take(found)
        }
      }
    }
  }
}
