import type { ExportFormat } from '../contract/library-export.ts'
import { isoTime } from '../core/iso-time.ts'

/** The names of the columns, in order. */
export const CSV_COLUMNS = [
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
    begin: () => row(CSV_COLUMNS),
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
        tags.map(quotedTag).join(', '),
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
const FORMULA = /^'*(?:[\t\r\n]|\p{Cf}*[=+\-@＝＋－＠])/u

/** A cell that begins with an apostrophe and a formula gets another apostrophe, so that an import can take it off. */
function harmless(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** Undoes `harmless`. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/** Tags are in one cell, with commas between; those with a comma in them stand in quotes. */
function quotedTag(tag: string): string {
  return /,|^"/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag
}

/** Reads the tags of a cell that `quotedTag` wrote. */
export function quotedTags(cell: string): string[] {
  return Array.from(cell.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]+))(?:,|$)/g), ([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim()
  ).filter((tag) => tag !== '')
}
