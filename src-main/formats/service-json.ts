import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { byAuthor, droppedIn, isSet, joined, type NamedList, pathOf, stateTags } from './fields.ts'
import { textOfHtml } from './html-tags.ts'
import { elements, type JsonNode, type JsonObject, JsonRecords, jsonReader, members, textOf } from './json-records.ts'

/**
 * Karakeep's export: links and texts, with the ids of the lists they are on. The lists stand behind the bookmarks, so
 * what is on one is held until the end.
 */
export const karakeepJson: ImportFormat<ImportedRecord> = {
  id: 'karakeep',
  name: 'Karakeep',
  recognises: (head) =>
    /^\s*\{\s*"(bookmarks|lists)"\s*:\s*\[/.test(head) &&
    /"content"\s*:\s*(null|\{[^{}]*"type"\s*:\s*"(link|text|asset)")|"bookmarks"\s*:\s*\[\s*\]/.test(head),
  reader: () =>
    jsonReader((found, line) => {
      const lists = new Map<string, NamedList>()
      const waiting: { record: ImportedRecord; on: string[] }[] = []

      function take(value: JsonNode, path: string, at: number): void {
        const fields = members(value)
        if (path === 'lists.*') {
          lists.set(textOf(fields.id), { name: textOf(fields.name), parent: textOf(fields.parentId) })
          return
        }
        const record = karakeepRecord(value, at)
        const on = elements(fields.lists).map((one) => textOf(one) || textOf(members(one).id))
        if (on.length === 0) found(record)
        else waiting.push({ record, on })
      }

      return Object.assign(new JsonRecords(['bookmarks.*', 'lists.*'], line, take), {
        end: () =>
          waiting.splice(0).map(({ record, on }) => ({
            ...record,
            tags: [...record.tags, ...on.map((id) => pathOf(lists, id)).filter((path) => path !== '')]
          }))
      })
    })
}

function karakeepRecord(value: JsonNode, line: number): ImportedRecord {
  const { title, tags, content, note, archived, createdAt } = members(value)
  const { type, url, text, sourceUrl, htmlContent, author, description } = members(content)
  const record: ImportedRecord = {
    line,
    url: textOf(url),
    title: textOf(title),
    description: joined([textOf(note), textOf(description), byAuthor(textOf(author))]),
    pageText: textOfHtml(textOf(htmlContent)) || undefined,
    tags: [
      ...elements(tags).map((tag) => textOf(tag) || textOf(members(tag).name)),
      ...stateTags({ archived: isSet(archived) })
    ],
    createdAt: dateOf(createdAt),
    dropped: droppedIn({ dates: unreadDate(createdAt) })
  }
  if (type === 'text') return { ...record, type: 'text', content: textOf(text), url: textOf(sourceUrl) }
  if (type === 'asset' || content === null) {
    return { ...record, fault: 'an image or a document, which Karakeep leaves out of its export' }
  }
  return record
}

/**
 * Linkwarden's export: links in collections, which lie in one another. A collection may stand before the one around
 * it, so all links are held until the end. Those that are pinned stand once more behind them, without their ids.
 */
export const linkwardenJson: ImportFormat<ImportedRecord> = {
  id: 'linkwarden',
  name: 'Linkwarden',
  recognises: (head) => /^\s*\{/.test(head) && /"collections"\s*:\s*\[/.test(head) && /"links"\s*:\s*\[/.test(head),
  reader: () =>
    jsonReader((_, line) => {
      const collections = new Map<string, NamedList>()
      let links: ImportedRecord[] = []
      let fields: JsonObject = {}
      /** Pinned links by address. */
      const pinned = new Map<string, ImportedRecord>()
      const all: { links: ImportedRecord[]; id: string }[] = []

      function take(value: JsonNode, path: string, at: number): void {
        if (path === LINK) links.push(linkwardenRecord(value, at))
        else if (path === PINNED) pinned.set(textOf(members(value).url), linkwardenRecord(value, at))
        else fields[path.slice(COLLECTION.length + 1)] = value
      }

      /** A collection ends: its name may stand behind its links. */
      function finish(): void {
        const id = textOf(fields.id) || `#${all.length}`
        collections.set(id, { name: textOf(fields.name), parent: textOf(fields.parentId) })
        all.push({ links, id })
        links = []
        fields = {}
      }

      const records = new JsonRecords([LINK, PINNED, ...FIELDS.map((name) => `${COLLECTION}.${name}`)], line, take)
      let depth = 0
      return {
        open(kind, key) {
          depth += 1
          records.open(kind, key)
        },
        value: (value, key) => records.value(value, key),
        close() {
          records.close()
          if (depth === COLLECTION_DEPTH && (links.length > 0 || Object.keys(fields).length > 0)) finish()
          depth -= 1
        },
        end() {
          finish()
          const inCollections = new Set(all.flatMap(({ links: those }) => those.map(({ url }) => url)))
          const others = [...pinned.values()].filter(({ url }) => !inCollections.has(url))
          const collected = all.flatMap(({ links: those, id }) => {
            const path = pathOf(collections, id)
            return those.map((link) => ({
              ...link,
              tags: [
                ...link.tags,
                ...stateTags({ favorite: link.url !== '' && pinned.has(link.url) }),
                ...(path === '' ? [] : [path])
              ]
            }))
          })
          return [
            ...collected,
            ...others.map((link) => ({ ...link, tags: [...link.tags, ...stateTags({ favorite: true })] }))
          ]
        }
      }
    })
}

const COLLECTION = 'collections.*'
const COLLECTION_DEPTH = 3
const LINK = `${COLLECTION}.links.*`
const PINNED = 'pinnedLinks.*'
const FIELDS = ['id', 'name', 'parentId']

function linkwardenRecord(value: JsonNode, line: number): ImportedRecord {
  const { type, name, url, description, tags, createdAt, textContent } = members(value)
  const record: ImportedRecord = {
    line,
    url: textOf(url),
    title: textOf(name),
    description: textOf(description),
    pageText: textOf(textContent) || undefined,
    tags: elements(tags).map((tag) => textOf(members(tag).name) || textOf(tag)),
    createdAt: dateOf(createdAt),
    dropped: droppedIn({ dates: unreadDate(createdAt) })
  }
  return record.url === '' && (type === 'pdf' || type === 'image')
    ? { ...record, fault: 'an uploaded file, which Linkwarden leaves out of its export' }
    : record
}

/**
 * A file `annotations/*.json` of Pocket's export, which holds what its reader marked. The bookmarks themselves are in
 * tables before it, so each record is one for a page that is there, and its text joins that page's description.
 */
export const pocketHighlights: ImportFormat<ImportedRecord> = {
  id: 'pocket-highlights',
  name: 'Pocket’s highlights',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) &&
    /"highlights"\s*:\s*\[/.test(head) &&
    /"quote"\s*:/.test(head) &&
    /"url"\s*:/.test(head),
  reader: () =>
    jsonReader(
      (found, line) =>
        new JsonRecords(['*'], line, (value, _, at) => {
          const { url, title, highlights } = members(value)
          const all = elements(highlights).map(members)
          found({
            line: at,
            url: textOf(url),
            title: textOf(title),
            description: joined(all.map(({ quote }) => textOf(quote))),
            tags: [],
            createdAt: dateOf(all[0]?.created_at)
          })
        })
    )
}

/**
 * A `metadata_*.json` of Omnivore's export, which is a ZIP of them. The text of each page is in a file of its own, after
 * the metadata (packages/api/src/jobs/export.ts).
 */
export const omnivoreJson: ImportFormat<ImportedRecord> = {
  id: 'omnivore',
  name: 'Omnivore',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) && /"savedAt"\s*:/.test(head) && /"(labels|state|slug)"\s*:/.test(head),
  reader: () =>
    jsonReader((found, line) => new JsonRecords(['*'], line, (value, _, at) => found(omnivoreRecord(value, at))))
}

function omnivoreRecord(value: JsonNode, line: number): ImportedRecord {
  const { title, url, description, author, labels, state, savedAt, slug, ...more } = members(value)
  const createdAt = dateOf(savedAt)
  return {
    line,
    url: textOf(url),
    title: textOf(title),
    description: joined([textOf(description), byAuthor(textOf(author))]),
    files: slug ? { text: `content/${textOf(slug)}.html`, highlights: `highlights/${textOf(slug)}.md` } : undefined,
    tags: [
      ...elements(labels).map((label) => textOf(label) || textOf(members(label).name)),
      ...stateTags({ archived: textOf(state).toLowerCase() === 'archived' })
    ],
    createdAt,
    dropped: droppedIn({
      'cover pictures': more.thumbnail,
      'reading positions': more.readingProgress,
      dates: unreadDate(savedAt)
    })
  }
}

/**
 * wallabag's export: an array of articles with their text. What the reader marked in it is the description.
 */
export const wallabagJson: ImportFormat<ImportedRecord> = {
  id: 'wallabag',
  name: 'wallabag',
  recognises: (head) => /^\s*\[\s*\{/.test(head) && /"is_(archived|starred)"\s*:/.test(head),
  reader: () =>
    jsonReader((found, line) => new JsonRecords(['*'], line, (value, _, at) => found(wallabagRecord(value, at))))
}

function wallabagRecord(value: JsonNode, line: number): ImportedRecord {
  const { title, url, tags, created_at, updated_at, is_archived, is_starred, annotations, content, ...more } =
    members(value)
  const createdAt = dateOf(created_at)
  return {
    line,
    url: textOf(url),
    title: textOf(title),
    description: joined([...elements(annotations).map(highlightOf), byAuthor(authorsIn(more.published_by))]),
    pageText: textOfHtml(textOf(content)) || undefined,
    tags: [
      ...elements(tags).map((tag) => textOf(tag) || textOf(members(tag).label)),
      ...stateTags({ archived: isSet(is_archived), favorite: isSet(is_starred) })
    ],
    createdAt,
    dropped: droppedIn({
      'times of change': updated_at,
      'cover pictures': more.preview_picture,
      dates: unreadDate(created_at)
    })
  }
}

/** wallabag lists authors, or has the list as a text. */
function authorsIn(value: JsonNode | undefined): string {
  return elements(value).map(textOf).filter(Boolean).join(', ') || textOf(value)
}

/** Returns the marked text, and the reader's note about it. */
function highlightOf(annotation: JsonNode): string {
  const { quote, text } = members(annotation)
  return [textOf(quote), textOf(text)].filter((part) => part.trim() !== '').join('\n')
}
