import { randomUUID } from 'node:crypto'
import type { Token } from 'marked'
import { type ArchiveFormat, MAX_CHAPTERS, type ReadableBookmark } from '../contract/library-export.ts'
import { isoDay, isoTime } from '../core/iso-time.ts'
import { picturesIn } from '../core/page-text.ts'
import { escapeXml, paragraphsOf, xhtmlOf } from '../markdown/to-xhtml.ts'
import { tokensOf, webAddress } from '../markdown/tokens.ts'
import { createZip } from './zip.ts'

/** A file of the book, as its package document lists it. */
interface Item {
  id: string
  path: string
  type: 'application/xhtml+xml' | 'image/webp' | 'text/css'
}

interface Chapter {
  path: string
  title: string
  language: string | undefined
}

/**
 * Writes a book (EPUB 3.3) with a chapter for each bookmark that has a text, and with the stored pictures of the texts.
 * The book has no scripts and loads nothing. EPUB packages on npm fetch pictures, and take HTML as their input.
 */
export const writeEpub: ArchiveFormat = {
  id: 'epub',
  contentType: 'application/epub+zip',
  async *write(bookmarks, count, time) {
    const zip = createZip()
    const items: Item[] = [{ id: 'style', path: 'style.css', type: 'text/css' }]
    const chapters: Chapter[] = []
    let seen = 0
    const add = (path: string, content: string | Uint8Array, isStored = false) =>
      zip.add({ name: path, content, time, isStored })

    yield add('mimetype', 'application/epub+zip', true)
    yield add('META-INF/container.xml', CONTAINER)
    yield add('EPUB/style.css', STYLE)
    for await (const readable of bookmarks) {
      if (chapters.length === MAX_CHAPTERS) break
      seen += 1
      const { bookmark, page } = readable
      if (bookmark.type === 'color' || page.text.trim() === '') continue
      const number = chapters.length + 1
      const paths = new Map<string, string>()
      for (const url of picturesIn(page)) {
        const bytes = await readable.picture(url)
        if (!bytes) continue
        const path = `pictures/${number}-${paths.size + 1}.webp`
        items.push({ id: `picture-${number}-${paths.size + 1}`, path, type: 'image/webp' })
        paths.set(url, path)
        yield add(`EPUB/${path}`, bytes, true)
      }
      const title = bookmark.title || (bookmark.domain ?? 'Untitled')
      const chapter = { path: `chapter-${number}.xhtml`, title, language: languageOf(await readable.language()) }
      chapters.push(chapter)
      items.push({ id: `chapter-${number}`, path: chapter.path, type: 'application/xhtml+xml' })
      yield add(`EPUB/${chapter.path}`, chapterOf(readable, chapter, paths))
    }
    const title = `Earmark, ${isoDay(time)}`
    const about = aboutOf(chapters.length, seen, count)
    yield add(
      'EPUB/title.xhtml',
      documentOf(title, `<h1>${title}</h1>${about.map((line) => `<p>${line}</p>`).join('')}`)
    )
    yield add('EPUB/nav.xhtml', contentsOf(chapters))
    yield add('EPUB/package.opf', packageOf(title, chapters, items, time))
    yield zip.end()
  }
}

/** Returns the facts on the title page. @param seen number of bookmarks up to the last chapter, with or without a text */
function aboutOf(chapters: number, seen: number, count: number): string[] {
  const [without, after] = [seen - chapters, count - seen]
  return [
    `Chapters: ${chapters}`,
    ...(without > 0 ? [`Bookmarks without a text, which are left out: ${without}`] : []),
    ...(after > 0 ? [`Left out, because a book has at most ${MAX_CHAPTERS} chapters: ${after} more bookmarks`] : [])
  ]
}

function chapterOf({ bookmark, page }: ReadableBookmark, { title, language }: Chapter, paths: Map<string, string>) {
  const { url, domain, createdAt } = bookmark
  const href = url === null ? undefined : webAddress(url)
  const source = href === undefined ? '' : `<a href="${escapeXml(href)}">${escapeXml(domain ?? href)}</a>, `
  const heading = `<h1>${escapeXml(title)}</h1><p class="source">${source}${isoDay(createdAt)}</p>`
  return documentOf(title, heading + bodyOf(page, title, paths), language)
}

function bodyOf({ text, markdown }: ReadableBookmark['page'], title: string, paths: Map<string, string>): string {
  if (markdown === null) return paragraphsOf(text)
  try {
    return xhtmlOf(withoutTitle(tokensOf(markdown), title), (url) => paths.get(url))
  } catch {
    return paragraphsOf(text) // its blocks are nested too deeply
  }
}

/** Leaves out a first heading that only repeats the title. */
function withoutTitle(tokens: Token[], title: string): Token[] {
  const first = tokens.findIndex(({ type }) => type !== 'space')
  const heading = tokens[first]
  const isTitle = heading?.type === 'heading' && heading.text.toLowerCase() === title.toLowerCase()
  return isTitle ? tokens.slice(first + 1) : tokens
}

function contentsOf(chapters: Chapter[]): string {
  const links = [{ path: 'title.xhtml', title: 'About this book' }, ...chapters].map(
    ({ path, title }) => `<li><a href="${path}">${escapeXml(title)}</a></li>`
  )
  return documentOf('Contents', `<nav epub:type="toc"><h1>Contents</h1><ol>${links.join('\n')}</ol></nav>`)
}

function documentOf(title: string, body: string, language = 'en'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}">
<head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body dir="auto">${body}</body>
</html>
`
}

/** Returns the package document, which lists all files and the order of the chapters. */
function packageOf(title: string, chapters: Chapter[], items: Item[], time: number): string {
  const languages = [...new Set(chapters.flatMap(({ language }) => language ?? []))]
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${randomUUID()}</dc:identifier>
<dc:title>${title}</dc:title>
${(languages.length > 0 ? languages : ['en']).map((language) => `<dc:language>${language}</dc:language>`).join('\n')}
<meta property="dcterms:modified">${isoTime(time).replace(/\.\d+/, '')}</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
${items.map(({ id, path, type }) => `<item id="${id}" href="${path}" media-type="${type}"/>`).join('\n')}
</manifest>
<spine>
<itemref idref="title"/>
<itemref idref="nav"/>
${chapters.map((_, index) => `<itemref idref="chapter-${index + 1}"/>`).join('\n')}
</spine>
</package>
`
}

/** Returns a language tag in its usual form; `undefined` if the tag is not valid. */
function languageOf(tag: string | null): string | undefined {
  try {
    return tag ? Intl.getCanonicalLocales(tag)[0] : undefined
  } catch {
    return undefined
  }
}

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

const STYLE = `body { margin: 5%; line-height: 1.5; }
img { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
th, td { border: 1px solid; padding: 0.2em 0.5em; text-align: start; }
.source { font-size: 0.9em; }
`
