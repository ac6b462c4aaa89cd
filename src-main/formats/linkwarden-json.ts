import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { elements, type JsonNode, type JsonObject, JsonRecords, jsonReader, members, textOf } from './json-records.ts'
import { type NamedList, pathOf } from './list-paths.ts'
import { stateTags } from './states.ts'

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
        if (path === LINK) links.push(recordOf(value, at))
        else if (path === PINNED) pinned.set(textOf(members(value).url), recordOf(value, at))
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

function recordOf(value: JsonNode, line: number): ImportedRecord {
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
