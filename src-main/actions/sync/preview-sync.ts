import type { ImportDraft } from '../../contract/library-import.ts'
import type { Ports } from '../../contract/ports.ts'
import type { SyncField, SyncJoin, SyncPreview } from '../../contract/sync.ts'
import { addressOf } from '../../core/address.ts'
import { laterField } from '../../core/sync/join.ts'

/** Bookmarks that are looked up at once. */
const AT_ONCE = 500

/**
 * Counts what joining a folder would bring together, without changing anything.
 *
 * @throws Problem `invalid` when the code is wrong, `not-found` when there is no such folder
 */
export async function previewSync(ports: Ports, { folder, code }: SyncJoin): Promise<SyncPreview> {
  const opened = await (await ports.syncFolders()).open(folder, code, false)
  const found = new Map<string, { url: SyncField | undefined; life: SyncField | undefined }>()
  for (const { device, number } of await opened.list()) {
    const segment = await opened.read(device, number)
    for (const { kind, id, fields } of segment?.records ?? []) {
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
