import type { ImportDraft, ImportedStatus } from '../../contract/library-export.ts'
import type { Ports } from '../ports.ts'
import type { ImportCount } from './import-batches.ts'
import { createOwnIds, type ImportSink, newFromWatched, textOf } from './import-batches.ts'

/** Drafts that are asked about at a time, and their text in UTF-16 code units. */
const AT_ONCE = { drafts: 1000, text: 4_194_304 }

/**
 * Counts what saving each draft would answer. It remembers what was seen, because a file may hold a page twice.
 *
 * @param watched the file that is watched
 */
export function createPreview(ports: Ports, watched: string | undefined, count: ImportCount): ImportSink {
  const seen = new Map<string, ImportedStatus>()
  const withOwnIds = createOwnIds(ports)
  let drafts: ImportDraft[] = []
  let text = 0

  async function preview(): Promise<void> {
    const given = drafts
    drafts = []
    text = 0
    const all = await withOwnIds(watched === undefined ? given : await newFromWatched(ports, watched, given))
    count.duplicates(given.length - all.length)
    const statuses = await ports.library.previewImport(all)
    count.saved(
      statuses.map((status, index) => {
        const [known = '', ...others] = keysOf(all[index] as ImportDraft)
        const before = seen.get(known)
        if (before !== undefined) return before === 'saved' ? 'repeated' : before
        for (const key of [known, ...others]) if (!seen.has(key)) seen.set(key, status)
        return status
      })
    )
  }

  return {
    async add(draft) {
      drafts.push(draft)
      text += textOf(draft)
      if (drafts.length === AT_ONCE.drafts || text >= AT_ONCE.text) await preview()
    },
    async end() {
      if (drafts.length > 0) await preview()
    },
    idle: async () => undefined
  }
}

/**
 * Returns what a draft is known by; the first tells whether it was there before. An export has an id for each bookmark, and
 * may have two of a page.
 */
function keysOf({ id, owner, pageKey, type, content }: ImportDraft): string[] {
  const page = pageKey === null ? [] : [`${owner ?? 0} ${pageKey}`]
  if (id !== undefined) return [`id ${id}`, ...page]
  return page.length > 0 ? page : [`${owner ?? 0} ${type} ${content}`]
}
