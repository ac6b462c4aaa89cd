import type { Bookmark } from '../contract/bookmark.ts'
import type { ExportFormat } from '../contract/library-export.ts'

/**
 * Writes the Netscape bookmark file that browsers import. Chrome reads it line by line and only knows tags in upper
 * case and double quotes (chrome/utility/importer/bookmark_html_reader.cc), so each bookmark is one line.
 */
export const writeHtml: ExportFormat = {
  id: 'html',
  contentType: 'text/html; charset=utf-8',
  writer: () => ({
    begin: () => HEAD,
    organization: () => '',
    bookmark: (bookmark) => (bookmark.url === null || !isPage(bookmark) ? '' : entry(bookmark, bookmark.url)),
    end: () => '</DL><p>\n'
  })
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
