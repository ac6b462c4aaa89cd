import type { ImportDraft } from '../../contract/library-export.ts'
import type { SyncField, SyncFolder, SyncJoin, SyncListing, SyncPreview, SyncRecord } from '../../contract/sync.ts'
import { addressOf } from '../../core/address.ts'
import { laterField } from '../../core/sync/join.ts'
import type { Ports } from '../ports.ts'

/** A bookmark of other machines. */
interface Found {
  life: SyncField | undefined
  /** Whether it is here already. */
  isSame: boolean
}

/**
 * Counts what joining a folder would bring together, without changing anything.
 *
 * @throws Problem `invalid` when the code is wrong, `not-found` when there is no such folder
 */
export async function previewSync(ports: Ports, { code, ...place }: SyncJoin): Promise<SyncPreview> {
  const opened = await (await ports.syncFolders()).open(place, code, false)
  const found = new Map<string, Found>()
  const united = new Set<string>()
  for (const listing of await opened.list()) {
    for await (const records of filesOf(opened, listing)) {
      const bookmarks = records.filter(({ kind }) => kind === 'bookmark')
      const news = bookmarks.filter(({ id, fields }) => fields.type && !found.has(id))
      const statuses = await ports.library.previewImport(news.map(({ id, fields }) => draftOf(id, fields, ports.now())))
      for (const [index, { id }] of news.entries()) {
        found.set(id, { life: undefined, isSame: statuses[index] === 'existing' })
      }
      for (const { id, fields } of bookmarks) {
        const known = found.get(id) ?? { life: undefined, isSame: false }
        found.set(id, { ...known, life: later(known.life, fields.life) })
      }
      for (const { kind, id } of records) if (kind === 'alias') united.add(id)
    }
  }
  const living = [...found].filter(([id, { life }]) => life?.[0] == null && !united.has(id))
  const { all } = await ports.library.countByKind()
  return { here: all, there: living.length, same: living.filter(([, { isSame }]) => isSame).length }
}

/** Yields what a device wrote: its snapshot, and what came after it. */
async function* filesOf(folder: SyncFolder, listing: SyncListing): AsyncGenerator<SyncRecord[]> {
  const { device, segments, snapshot } = listing
  for (let part = 1; part <= (snapshot?.parts ?? 0); part += 1) {
    yield (await folder.readPart(listing, part))?.records ?? []
  }
  for (const number of segments) {
    if (number > (snapshot?.after ?? 0)) yield (await folder.read(device, number))?.records ?? []
  }
}

function later(one: SyncField | undefined, other: SyncField | undefined): SyncField | undefined {
  return other === undefined ? one : laterField('life', one, other)
}

function draftOf(id: string, fields: SyncRecord['fields'], now: number): ImportDraft {
  const url = fields.url?.[0]
  const address = typeof url === 'string' ? addressOf(url) : undefined
  const page = address && 'url' in address ? address : { url: null, domain: null, pageKey: null }
  const texts = { title: '', description: '', content: id, tags: [] }
  const times = { createdAt: now, updatedAt: now, deletedAt: null }
  return {
    id,
    type: page.url === null ? 'text' : 'link',
    ...page,
    ...texts,
    ...times,
    owner: null,
    visibility: 'private'
  }
}
