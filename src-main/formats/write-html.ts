import type { Bookmark } from '../contract/bookmark.ts'
import type { ExportFormat } from '../contract/library-export.ts'
import { DEEPEST } from './fields.ts'

/**
 * Writes the Netscape bookmark file that browsers import. Chrome reads it line by line and only knows tags in upper
 * case and double quotes (chrome/utility/importer/bookmark_html_reader.cc), so each bookmark is one line. The first of a
 * bookmark's tags that is nested, or that others are nested in, is its folder too: imports make such tags of folders.
 */
export const writeHtml: ExportFormat = {
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
  return `    <DT><H3>${escaped(name)}</H3>\n    <DL><p>\n`
}

/** Whether a tag, read as a folder's path, gives the same tag as its name among the tags. */
function isFolder(tag: string, parents: ReadonlySet<string>): boolean {
  if (tag.includes(',')) return false
  const names = tag.split('/')
  if (names.length > DEEPEST || names.some((name) => name === '' || name !== name.trim())) return false
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
    `HREF="${escaped(url)}"`,
    `ADD_DATE="${Math.floor(createdAt / 1000)}"`,
    ...(visibility === 'public' ? [] : ['PRIVATE="1"']),
    // A comma stands between two tags, so none may hold one.
    ...(tags.length > 0 ? [`TAGS="${escaped(tags.map((tag) => tag.replaceAll(',', ' ')).join(','))}"`] : [])
  ]
  const about = description === '' ? '' : `<DD>${escaped(description)}\n`
  return `    <DT><A ${attributes.join(' ')}>${escaped(title)}</A>\n${about}`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
