import type { ImportDraft } from '../../contract/library-import.ts'
import type { Ports } from '../../contract/ports.ts'
import type { SyncField, SyncFolder, SyncJoin, SyncListing, SyncPreview, SyncRecord } from '../../contract/sync.ts'
import { addressOf } from '../../core/address.ts'
import { laterField } from '../../core/sync/join.ts'

/** Bookmarks that are looked up at once. */
const AT_ONCE = 500

/**
 * Counts what joining a folder would bring together, without changing anything.
 *
 * @throws Problem `invalid` when the code is wrong, `not-found` when there is no such folder
 */
export async function previewSync(ports: Ports, { code, ...place }: SyncJoin): Promise<SyncPreview> {
  const opened = await (await ports.syncFolders()).open(place, code, false)
  const found = new Map<string, { url: SyncField | undefined; life: SyncField | undefined }>()
  for (const listing of await opened.list()) {
    for await (const { kind, id, fields } of recordsOf(opened, listing)) {
      if (kind !== 'bookmark') continue
      const known = found.get(id)
      found.set(id, { url: later('url', known?.url, fields.url), life: later('life', known?.life, fields.life) })
    }
  }
  const living = [...found].filter(([, { life }]) => life?.[0] == null)
  const { all } = await ports.library.countByKind()
  let same = 0
  for (let at = 0; at < living.length; at += AT_ONCE) {
    const drafts = living.slice(at, at + AT_ONCE).map(([id, { url }]) => draftOf(id, url?.[0], ports.now()))
    same += (await ports.library.previewImport(drafts)).filter((status) => status === 'existing').length
  }
  return { here: all, there: living.length, same }
}

/** Yields what a device wrote: its snapshot, and what came after it. */
async function* recordsOf(folder: SyncFolder, listing: SyncListing): AsyncGenerator<SyncRecord> {
  const { device, segments, snapshot } = listing
  for (let part = 1; part <= (snapshot?.parts ?? 0); part += 1) {
    yield* (await folder.readPart(listing, part))?.records ?? []
  }
  for (const number of segments) {
    if (number > (snapshot?.after ?? 0)) yield* (await folder.read(device, number))?.records ?? []
  }
}

function later(name: string, one: SyncField | undefined, other: SyncField | undefined): SyncField | undefined {
  return other === undefined ? one : laterField(name, one, other)
}

function draftOf(id: string, url: unknown, now: number): ImportDraft {
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
