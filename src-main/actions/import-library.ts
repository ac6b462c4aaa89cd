import type { Caller, Owner } from '../contract/caller.ts'
import type { ImportedRecord } from '../contract/import-format.ts'
import type { ImportReport } from '../contract/import-report.ts'
import type { ImportDraft } from '../contract/library-import.ts'
import type { Ports } from '../contract/ports.ts'
import { draftOf } from './import-drafts.ts'
import { createImportPlaces } from './import-places.ts'
import { placementFor } from './placement.ts'
import { createPreview } from './preview-import.ts'
import { readItems } from './read-items.ts'

/** Bookmarks a transaction; between two of them other writes get their turn. */
const BATCH = 500

/** Rejected records that are listed, so that a file of nothing else cannot fill the memory. */
const MOST_REJECTS = 1000

interface ImportOptions {
  /** The id of the file's format; otherwise its content decides. */
  format?: string
  /** Only says what would be imported. */
  dryRun?: boolean
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
  { format, dryRun = false }: ImportOptions = {}
): Promise<ImportReport> {
  const placement = await placementFor(ports, caller)
  const places = createImportPlaces(ports, caller, dryRun)
  const save = dryRun ? createPreview(ports) : createSave(ports, placement.savedAt)
  const report: ImportReport = { imported: 0, duplicate: 0, rejected: 0, rejects: [] }
  let batch: ImportDraft[] = []

  async function saveBatch(): Promise<void> {
    const drafts = batch
    batch = []
    const { statuses, importId } = await save(drafts)
    for (const status of statuses) report[status === 'saved' ? 'imported' : 'duplicate'] += 1
    if (importId !== undefined && report.imported > 0) report.undo = importId
  }

  function reject({ line }: ImportedRecord, reason: string, file?: string): void {
    report.rejected += 1
    if (report.rejects.length < MOST_REJECTS) report.rejects.push({ line, reason, ...(file && { file }) })
    else report.unlisted = (report.unlisted ?? 0) + 1
  }

  for await (const item of readItems(ports, bytes, format)) {
    if ('organization' in item) {
      await places.declare(item)
      continue
    }
    const place: Owner | undefined = await places.ownerOf(item)
    const draft = draftOf(item, placement, place)
    if ('fault' in draft) reject(item, draft.fault, item.file)
    else batch.push(draft)
    if (batch.length === BATCH) await saveBatch()
  }
  if (batch.length > 0) await saveBatch()
  return report
}

function createSave(ports: Ports, at: number) {
  let importId: number | undefined
  return async (drafts: ImportDraft[]) => {
    importId ??= await ports.library.beginImport(at)
    return { statuses: await ports.library.importBookmarks(importId, drafts), importId }
  }
}
