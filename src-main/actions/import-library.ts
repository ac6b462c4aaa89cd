import type { Caller, Owner } from '../contract/caller.ts'
import type { ImportProgress, ImportReport } from '../contract/import-report.ts'
import type { ImportDraft } from '../contract/library-import.ts'
import type { Ports } from '../contract/ports.ts'
import { createImportCount } from './import-count.ts'
import { draftOf } from './import-drafts.ts'
import { createImportPictures } from './import-pictures.ts'
import { createImportPlaces } from './import-places.ts'
import { placementFor } from './placement.ts'
import { createPreview } from './preview-import.ts'
import { readItems } from './read-items.ts'
import { untilStopped } from './until-stopped.ts'

/**
 * Bookmarks a transaction, and their text in UTF-16 code units; between two of them other writes get their turn. Each
 * transaction writes every page of an index that it touches, so of larger ones there are fewer to write.
 */
const BATCH = { bookmarks: 4000, text: 4_194_304 }

/** An import that added no more than this is searchable before it is answered. */
const AT_ONCE = 1000

interface ImportOptions {
  /** The id of the file's format; otherwise its content decides. */
  format?: string
  /** Only says what would be imported. */
  dryRun?: boolean
  /**
   * The file is watched: what it gave before, or what is in the trash, its owner has deleted, so it is counted as a
   * duplicate. Otherwise an import takes out of the trash what it finds there.
   */
  watched?: string | undefined
  /** Stops it; what was imported until then stays. */
  signal?: AbortSignal
  onProgress?: (progress: ImportProgress) => void
}

/**
 * Imports a bookmark file, piece by piece. Every record is counted as imported, duplicate or rejected; what the library
 * already holds stays as it is. All that was added, however the import ended, can be undone as one.
 *
 * @param bytes the file in order
 * @throws Problem `invalid` when the file is of no known format
 */
export async function importLibrary(
  ports: Ports,
  caller: Caller,
  bytes: AsyncIterable<Uint8Array>,
  { format, dryRun = false, watched, signal, onProgress }: ImportOptions = {}
): Promise<ImportReport> {
  const placement = await placementFor(ports, caller)
  const places = createImportPlaces(ports, caller, dryRun)
  const pictures = createImportPictures(ports, dryRun)
  const save = dryRun ? createPreview(ports) : createSave(ports, placement.savedAt)
  const count = createImportCount(onProgress)
  let batch: ImportDraft[] = []
  let text = 0
  /** The two batches before: one is written, and one waits for its turn while the next is read. */
  let saving: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()]

  async function saveAll(all: ImportDraft[]): Promise<void> {
    const drafts = watched === undefined ? all : await newFrom(ports, watched, all)
    count.duplicates(all.length - drafts.length)
    if (drafts.length > 0) {
      const { statuses, importId } = await save(drafts)
      count.saved(statuses, importId)
    }
    if (watched !== undefined && !dryRun) await ports.library.rememberPages(watched, all.map(pageOf))
  }

  async function saveBatch(): Promise<void> {
    const drafts = batch
    batch = []
    text = 0
    const [first, second] = saving
    await first
    saving = [second, saveAll(drafts)]
    saving[1].catch(() => {}) // told to whoever waits for it next
  }

  async function readAll(): Promise<void> {
    for await (const item of readItems(ports, untilStopped(bytes, signal, count.bytes), format)) {
      if ('organization' in item) {
        await places.declare(item)
        continue
      }
      if ('bytes' in item) {
        const fault = await pictures.keep(item)
        if (fault !== undefined) count.reject(item, fault, item.file)
        continue
      }
      const place: Owner | undefined = await places.ownerOf(item)
      const draft = draftOf(item, placement, place)
      if ('fault' in draft) count.reject(item, draft.fault, item.file)
      else if (draft.picture !== undefined && !(await pictures.has(draft.picture))) {
        count.reject(item, 'its picture is missing or could not be kept', item.file)
      } else {
        batch.push(draft)
        text += draft.title.length + draft.description.length + draft.content.length
      }
      if (batch.length === BATCH.bookmarks || text >= BATCH.text) await saveBatch()
      signal?.throwIfAborted()
    }
    if (batch.length > 0) await saveBatch()
  }

  try {
    await readAll()
  } catch (error) {
    await Promise.allSettled(saving) // what is under way is over before anyone is told
    if (!signal?.aborted) throw error
    count.report.cancelled = true
  }
  await Promise.all(saving)
  if (!dryRun && count.report.imported <= AT_ONCE) await makeSearchable(ports, count.report.imported)
  return count.report
}

/** Those of pages that its owner has not deleted. */
async function newFrom({ library }: Ports, file: string, drafts: ImportDraft[]): Promise<ImportDraft[]> {
  const pages = drafts.map(pageOf)
  const [inTrash, given] = await Promise.all([library.areInTrash(pages), library.wereGiven(file, pages)])
  return drafts.filter((_, index) => !inTrash[index] && !given[index])
}

function pageOf({ owner, pageKey }: ImportDraft) {
  return { owner, pageKey }
}

/** Has the last bookmarks indexed, however many others wait for their turn. */
async function makeSearchable({ library }: Ports, bookmarks: number): Promise<void> {
  for (let left = bookmarks; left > 0; ) {
    const indexed = await library.indexSome()
    if (indexed === 0) return
    left -= indexed
  }
}

function createSave(ports: Ports, at: number) {
  let begun: Promise<number> | undefined
  return async (drafts: ImportDraft[]) => {
    begun ??= ports.library.beginImport(at)
    const importId = await begun
    return { statuses: await ports.library.importBookmarks(importId, drafts), importId }
  }
}
