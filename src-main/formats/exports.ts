import type { Bookmark } from '../contract/bookmark.ts'
import type { TextFormat } from '../contract/library-export.ts'
import { isoTime } from '../core/iso-time.ts'
import { MAX_DEPTH } from './fields.ts'

/** The columns of the CSV export, in order. */
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
export const writeCsv: TextFormat = {
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

/** A spreadsheet would run such a cell as a formula (OWASP, CSV Injection). */
const FORMULA = /^'*(?:[\t\r\n]|\p{Cf}*[=+\-@＝＋－＠])/u

/** A cell that begins with an apostrophe and a formula gets another apostrophe, so that an import can remove it. */
function harmless(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** Undoes `harmless`. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/** Tags are in one cell, separated by commas; a tag that contains a comma is in quotes. */
function quotedTag(tag: string): string {
  return /,|^"/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag
}

/** Reads the tags of a cell that `quotedTag` wrote. */
export function quotedTags(cell: string): string[] {
  return Array.from(cell.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]+))(?:,|$)/g), ([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim()
  ).filter((tag) => tag !== '')
}

/**
 * Writes the Netscape bookmark file that browsers import. Chrome reads the file line by line, and only tags in upper
 * case and attributes in double quotes (chrome/utility/importer/bookmark_html_reader.cc), so each bookmark is one line.
 * The first tag of a bookmark that is nested, or that contains nested tags, is also its folder, because imports turn
 * folders into such tags.
 */
export const writeHtml: TextFormat = {
  id: 'html',
  contentType: 'text/html; charset=utf-8',
  writer() {
    let open: string[] = []
    const moveTo = (path: string[]) => {
      const differs = open.findIndex((name, depth) => name !== path[depth])
      const shared = differs < 0 ? open.length : differs
      const closed = FOLDER_END.repeat(open.length - shared)
      open = path
      return closed + path.slice(shared).map(folderStart).join('')
    }
    return {
      begin: () => HEAD,
      organization: () => '',
      bookmark: (bookmark) => (bookmark.url === null || !isPage(bookmark) ? '' : entry(bookmark, bookmark.url)),
      folderOf: (bookmark, parents) =>
        isPage(bookmark) ? bookmark.tags.find((tag) => isFolder(tag, parents)) : undefined,
      enter: (folder) => moveTo(folder.split('/')),
      end: () => `${moveTo([])}${FOLDER_END}`
    }
  }
}

const FOLDER_END = '</DL><p>\n'

function folderStart(name: string): string {
  return `    <DT><H3>${escapeHtml(name)}</H3>\n    <DL><p>\n`
}

/** Whether an import turns a folder with this path into the same tag. */
function isFolder(tag: string, parents: ReadonlySet<string>): boolean {
  if (tag.includes(',')) return false
  const names = tag.split('/')
  if (names.length > MAX_DEPTH || names.some((name) => name === '' || name !== name.trim())) return false
  return names.length > 1 || parents.has(tag)
}

const HEAD = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
`

function isPage({ type }: Bookmark): boolean {
  return type === 'link' || type === 'image'
}

function entry({ title, description, tags, visibility, createdAt }: Bookmark, url: string): string {
  const attributes = [
    `HREF="${escapeHtml(url)}"`,
    `ADD_DATE="${Math.floor(createdAt / 1000)}"`,
    ...(visibility === 'public' ? [] : ['PRIVATE="1"']),
    // A comma separates two tags, so no tag may contain one.
    ...(tags.length > 0 ? [`TAGS="${escapeHtml(tags.map((tag) => tag.replaceAll(',', ' ')).join(','))}"`] : [])
  ]
  const about = description === '' ? '' : `<DD>${escapeHtml(description)}\n`
  return `    <DT><A ${attributes.join(' ')}>${escapeHtml(title)}</A>\n${about}`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
