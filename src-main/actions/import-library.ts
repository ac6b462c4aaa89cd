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

/** Bookmarks a transaction; between two of them other writes get their turn. */
const BATCH = 500

interface ImportOptions {
  /** The id of the file's format; otherwise its content decides. */
  format?: string
  /** Only says what would be imported. */
  dryRun?: boolean
  /** Leaves in the trash what is there, and counts it as a duplicate; otherwise an import takes it out again. */
  leaveTrash?: boolean
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
  { format, dryRun = false, leaveTrash = false, signal, onProgress }: ImportOptions = {}
): Promise<ImportReport> {
  const placement = await placementFor(ports, caller)
  const places = createImportPlaces(ports, caller, dryRun)
  const pictures = createImportPictures(ports, dryRun)
  const save = dryRun ? createPreview(ports) : createSave(ports, placement.savedAt)
  const count = createImportCount(onProgress)
  let batch: ImportDraft[] = []
  /** The batch before, which is written while the next one is read. */
  let saving: Promise<void> = Promise.resolve()

  async function saveAll(all: ImportDraft[]): Promise<void> {
    const inTrash = leaveTrash ? await ports.library.areInTrash(all) : []
    const drafts = all.filter((_, index) => !inTrash[index])
    count.duplicates(all.length - drafts.length)
    const { statuses, importId } = await save(drafts)
    count.saved(statuses, importId)
  }

  async function saveBatch(): Promise<void> {
    const drafts = batch
    batch = []
    await saving
    saving = saveAll(drafts)
    saving.catch(() => {}) // told to whoever waits for it next
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
      } else batch.push(draft)
      if (batch.length === BATCH) await saveBatch()
      signal?.throwIfAborted()
    }
    if (batch.length > 0) await saveBatch()
  }

  try {
    await readAll()
  } catch (error) {
    await saving.catch(() => {}) // what is under way is over before anyone is told
    if (!signal?.aborted) throw error
    count.report.cancelled = true
  }
  await saving
  return count.report
}

function createSave(ports: Ports, at: number) {
  let importId: number | undefined
  return async (drafts: ImportDraft[]) => {
    importId ??= await ports.library.beginImport(at)
    return { statuses: await ports.library.importBookmarks(importId, drafts), importId }
  }
}
