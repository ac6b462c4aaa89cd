import type { GivenHighlight, ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { elements, type JsonNode, members, parseJson, toText } from './browser-json.ts'
import {
  byAuthor,
  droppedIn,
  isSet,
  joined,
  listPath,
  type NamedList,
  readDate,
  splitLines,
  stateTags,
  unreadDate
} from './fields.ts'
import { plainArticle, TagParser, textOfArticle } from './html.ts'

/** Karakeep's export: links and texts, with the ids of the lists they are on. */
export const karakeepJson: ImportFormat<ImportedRecord> = {
  id: 'karakeep',
  name: 'Karakeep',
  recognises: (head) =>
    /^\s*\{\s*"(bookmarks|lists)"\s*:\s*\[/.test(head) &&
    /"content"\s*:\s*(null|\{[^{}]*"type"\s*:\s*"(link|text|asset)")|"bookmarks"\s*:\s*\[\s*\]/.test(head),
  read(text) {
    const { bookmarks, lists } = members(parseJson(text))
    const byId = namedLists(elements(lists))
    return elements(bookmarks).map((bookmark) => {
      const record = karakeepRecord(bookmark)
      const ids = elements(members(bookmark).lists).map((list) => toText(list) || toText(members(list).id))
      const paths = ids.map((id) => listPath(byId, id)).filter((path) => path !== '')
      return { ...record, tags: [...record.tags, ...paths] }
    })
  }
}

function namedLists(lists: JsonNode[]): Map<string, NamedList> {
  return new Map(
    lists.map((list) => {
      const { id, name, parentId } = members(list)
      return [toText(id), { name: toText(name), parent: toText(parentId) }]
    })
  )
}

function karakeepRecord(value: JsonNode): ImportedRecord {
  const { title, tags, content, note, archived, createdAt } = members(value)
  const { type, url, text, sourceUrl, htmlContent, author, description } = members(content)
  const record: ImportedRecord = {
    url: toText(url),
    title: toText(title),
    description: joined([toText(note), toText(description), byAuthor(toText(author))]),
    pageText: textOfArticle(toText(htmlContent)),
    tags: [
      ...elements(tags).map((tag) => toText(tag) || toText(members(tag).name)),
      ...stateTags({ archived: isSet(archived) })
    ],
    createdAt: readDate(createdAt),
    dropped: droppedIn({ dates: unreadDate(createdAt) })
  }
  if (type === 'text') return { ...record, type: 'text', content: toText(text), url: toText(sourceUrl) }
  if (type === 'asset' || content === null) {
    return { ...record, fault: 'an image or a document, which Karakeep leaves out of its export' }
  }
  return record
}

/**
 * Linkwarden's export: links in collections, which may be nested. Pinned links are in a list of their own, and most of
 * them in a collection too.
 */
export const linkwardenJson: ImportFormat<ImportedRecord> = {
  id: 'linkwarden',
  name: 'Linkwarden',
  recognises: (head) => /^\s*\{/.test(head) && /"collections"\s*:\s*\[/.test(head) && /"links"\s*:\s*\[/.test(head),
  read(text) {
    const { collections, pinnedLinks } = members(parseJson(text))
    const byId = namedLists(elements(collections))
    const pinned = new Map(elements(pinnedLinks).map((link) => [toText(members(link).url), linkwardenRecord(link)]))
    const collected = elements(collections).flatMap((collection) => {
      const { id, name, links } = members(collection)
      const path =
        toText(id) === '' ? listPath(namedLists([{ id: '', name: name ?? '' }]), '') : listPath(byId, toText(id))
      return elements(links).map((link) => {
        const record = linkwardenRecord(link)
        const states = stateTags({ favorite: record.url !== '' && pinned.has(record.url) })
        return { ...record, tags: [...record.tags, ...states, ...(path === '' ? [] : [path])] }
      })
    })
    for (const { url } of collected) pinned.delete(url)
    const others = [...pinned.values()]
    return [
      ...collected,
      ...others.map((link) => ({ ...link, tags: [...link.tags, ...stateTags({ favorite: true })] }))
    ]
  }
}

function linkwardenRecord(value: JsonNode): ImportedRecord {
  const { type, name, url, description, tags, createdAt, textContent } = members(value)
  const record: ImportedRecord = {
    url: toText(url),
    title: toText(name),
    description: toText(description),
    pageText: textContent ? plainArticle(toText(textContent)) : undefined,
    tags: elements(tags).map((tag) => toText(members(tag).name) || toText(tag)),
    createdAt: readDate(createdAt),
    dropped: droppedIn({ dates: unreadDate(createdAt) })
  }
  return record.url === '' && (type === 'pdf' || type === 'image')
    ? { ...record, fault: 'an uploaded file, which Linkwarden leaves out of its export' }
    : record
}

/**
 * A file `annotations/*.json` of Pocket's export, with the passages that its reader marked. The bookmarks themselves
 * are in tables before this file, so each record is a duplicate, and its highlights are added to the bookmark.
 */
export const pocketHighlights: ImportFormat<ImportedRecord> = {
  id: 'pocket-highlights',
  name: 'Pocket’s highlights',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) &&
    /"highlights"\s*:\s*\[/.test(head) &&
    /"quote"\s*:/.test(head) &&
    /"url"\s*:/.test(head),
  read: (text) =>
    elements(parseJson(text)).map((page) => {
      const { url, title, highlights } = members(page)
      const all = elements(highlights).map(members)
      return {
        url: toText(url),
        title: toText(title),
        description: '',
        highlights: all.map(({ quote, created_at }) => ({ quote: toText(quote), createdAt: readDate(created_at) })),
        tags: [],
        createdAt: readDate(all[0]?.created_at)
      }
    })
}

/**
 * A `metadata_*.json` of Omnivore's export, which is a ZIP of such files. The text of each page is in a file of its own
 * (packages/api/src/jobs/export.ts).
 */
export const omnivoreJson: ImportFormat<ImportedRecord> = {
  id: 'omnivore',
  name: 'Omnivore',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) && /"savedAt"\s*:/.test(head) && /"(labels|state|slug)"\s*:/.test(head),
  read: (text) => elements(parseJson(text)).map(omnivoreRecord)
}

function omnivoreRecord(value: JsonNode): ImportedRecord {
  const { title, url, description, author, labels, state, savedAt, slug, ...more } = members(value)
  return {
    url: toText(url),
    title: toText(title),
    description: joined([toText(description), byAuthor(toText(author))]),
    files: slug ? { text: `content/${toText(slug)}.html`, highlights: `highlights/${toText(slug)}.md` } : undefined,
    tags: [
      ...elements(labels).map((label) => toText(label) || toText(members(label).name)),
      ...stateTags({ archived: toText(state).toLowerCase() === 'archived' })
    ],
    createdAt: readDate(savedAt),
    dropped: droppedIn({
      'cover pictures': more.thumbnail,
      'reading positions': more.readingProgress,
      dates: unreadDate(savedAt)
    })
  }
}

/**
 * A file `highlights/*.md` of Omnivore's export: quotes, each with its note below it. Paragraphs before the first quote
 * are a note about the page (packages/api/src/utils/parser.ts).
 */
export function omnivoreHighlights(markdown: string): Required<Pick<ImportedRecord, 'description' | 'highlights'>> {
  const notes: string[] = []
  const highlights: { quote: string; note: string }[] = []
  for (const paragraph of markdown.split(/\n{2,}/)) {
    const last = highlights.at(-1)
    if (paragraph.startsWith('>')) highlights.push({ quote: paragraph.replace(/^> ?/gm, '').trim(), note: '' })
    else if (last) last.note = joined([last.note, paragraph])
    else notes.push(paragraph)
  }
  return { description: joined(notes), highlights }
}

/**
 * Readwise's highlights, as its API exports them: documents, each with its highlights (readwise.io/api_deets, Highlight
 * EXPORT). A book has no address, and becomes a text of its passages.
 */
export const readwiseJson: ImportFormat<ImportedRecord> = {
  id: 'readwise',
  name: 'Readwise’s highlights',
  recognises: (head) => /"user_book_id"\s*:/.test(head) && /"(source_url|highlights)"\s*:/.test(head),
  read(text) {
    const all = parseJson(text)
    const { results } = members(all)
    return elements(results ?? all).map(readwiseRecord)
  }
}

function readwiseRecord(value: JsonNode): ImportedRecord {
  const { source_url, title, readable_title, author, document_note, summary, book_tags, highlights, ...more } =
    members(value)
  const url = toText(source_url)
  const all = elements(highlights).map(members)
  const marked = all
    .filter(({ is_deleted }) => !isSet(is_deleted))
    .map(({ text, note, color, highlighted_at }) => ({
      quote: toText(text),
      note: toText(note),
      color: toText(color),
      createdAt: readDate(highlighted_at)
    }))
  const passages = marked.map(({ quote, note }) => joined([quote, note && `(${note})`]))
  return {
    ...(url === '' ? { type: 'text', content: joined(passages) } : { highlights: marked }),
    url,
    title: toText(readable_title) || toText(title),
    description: joined([toText(document_note), toText(summary), byAuthor(toText(author))]),
    tags: elements(book_tags).map((tag) => toText(tag) || toText(members(tag).name)),
    createdAt: readDate(all[0]?.highlighted_at),
    dropped: droppedIn({ 'cover pictures': more.cover_image_url })
  }
}

/** wallabag's export: an array of articles with their text and the passages that the reader marked. */
export const wallabagJson: ImportFormat<ImportedRecord> = {
  id: 'wallabag',
  name: 'wallabag',
  recognises: (head) => /^\s*\[\s*\{/.test(head) && /"is_(archived|starred)"\s*:/.test(head),
  read: (text) => elements(parseJson(text)).map(wallabagRecord)
}

function wallabagRecord(value: JsonNode): ImportedRecord {
  const { title, url, tags, created_at, updated_at, is_archived, is_starred, annotations, content, ...more } =
    members(value)
  return {
    url: toText(url),
    title: toText(title),
    description: byAuthor(authorsIn(more.published_by)),
    highlights: elements(annotations).map(highlightOf),
    pageText: textOfArticle(toText(content)),
    tags: [
      ...elements(tags).map((tag) => toText(tag) || toText(members(tag).label)),
      ...stateTags({ archived: isSet(is_archived), favorite: isSet(is_starred) })
    ],
    createdAt: readDate(created_at),
    dropped: droppedIn({
      'times of change': updated_at,
      'cover pictures': more.preview_picture,
      dates: unreadDate(created_at)
    })
  }
}

/** wallabag writes the authors as a list or as a text. */
function authorsIn(value: JsonNode | undefined): string {
  return elements(value).map(toText).filter(Boolean).join(', ') || toText(value)
}

/** `text` is the reader's note about the quote. */
function highlightOf(annotation: JsonNode): GivenHighlight {
  const { quote, text, created_at } = members(annotation)
  return { quote: toText(quote), note: toText(text), createdAt: readDate(created_at) }
}

/**
 * Pinboard's export as JSON: `[{"href","description","extended","time","shared","toread","tags"}]`. `description` is the
 * title, as in the API of Delicious (pinboard.in/api).
 */
export const pinboardJson: ImportFormat<ImportedRecord> = {
  id: 'pinboard',
  name: 'Pinboard',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) && /"href"\s*:/.test(head) && /"(extended|shared|toread)"\s*:/.test(head),
  read: (text) =>
    elements(parseJson(text)).map((post) => {
      const fields = members(post)
      return pinboardRecord((name) => toText(fields[name]))
    })
}

/** Pinboard's export as XML, which is Delicious's: `<posts><post href description extended tag time/></posts>`. */
export const pinboardXml: ImportFormat<ImportedRecord> = {
  id: 'pinboard-xml',
  name: 'Pinboard XML',
  recognises: (head) => /<posts[\s>]/.test(head) && /<post\s[^>]{0,999}href=/.test(head),
  *read(text) {
    const complete: ImportedRecord[] = []
    let line = 1
    const parser = new TagParser({
      open(name, attributes) {
        if (name !== 'post') return
        const record = pinboardRecord((field) => attributes[field === 'tags' ? 'tag' : field] ?? '')
        complete.push({ ...record, line })
      },
      close() {},
      text() {}
    })
    for (const piece of splitLines(text)) {
      parser.write(piece)
      line += 1
      yield* complete.splice(0)
    }
    parser.end()
    yield* complete
  }
}

function pinboardRecord(field: (name: string) => string): ImportedRecord {
  return {
    url: field('href'),
    title: field('description'),
    description: field('extended'),
    tags: [...field('tags').split(/\s+/).filter(Boolean), ...stateTags({ unread: field('toread') === 'yes' })],
    createdAt: readDate(field('time')),
    isPrivate: field('shared') === 'no' || undefined,
    dropped: droppedIn({ dates: unreadDate(field('time')) })
  }
}
