import type { ExportFormat } from '../contract/library-export.ts'
import { isoTime } from '../core/iso-time.ts'

const COLUMNS = [
  'type',
  'url',
  'title',
  'description',
  'content',
  'tags',
  'visibility',
  'organization',
  'created',
  'updated'
]

/** Writes a table for spreadsheets (RFC 4180). */
export const writeCsv: ExportFormat = {
  id: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  writer: () => ({
    begin: () => row(COLUMNS),
    organization: () => '',
    bookmark({
      picture,
      type,
      url,
      title,
      description,
      content,
      tags,
      visibility,
      organization,
      createdAt,
      updatedAt
    }) {
      if (picture !== null) return ''
      return row([
        type,
        url ?? '',
        title,
        description,
        content,
        tags.join(', '),
        visibility,
        organization ?? '',
        isoTime(createdAt),
        isoTime(updatedAt)
      ])
    },
    end: () => ''
  })
}

function row(cells: string[]): string {
  return `${cells.map((cell) => `"${harmless(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/** A spreadsheet would take it for a formula, and run it (OWASP, CSV Injection). */
function harmless(cell: string): string {
  return /^(?:[\t\r\n]|\p{Cf}*[=+\-@＝＋－＠])/u.test(cell) ? `'${cell}` : cell
}
