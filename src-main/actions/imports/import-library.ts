import { type Caller, type Owner, PROFILE } from '../../contract/caller.ts'
import type { FileItem, ImportedOrganization, ImportedPicture, ImportedRecord } from '../../contract/import-format.ts'
import type { ImportProgress, ImportReport } from '../../contract/import-report.ts'
import type { ImportDraft } from '../../contract/library-export.ts'
import type { BookmarkFiles, BrowserFile } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { foldName } from '../../core/clean-text.ts'
import { placementFor } from '../bookmarks/bookmark-fields.ts'
import { endedBy } from '../long-work.ts'
import { cleanName } from '../organizations.ts'
import { inspectPicture } from '../pictures.ts'
import type { Ports } from '../ports.ts'
import { draftOf, droppedOf } from './import-drafts.ts'
import { createImportBatches, createImportCount, createPreview } from './import-sinks.ts'

/** If an import added at most this number of bookmarks, they are indexed before it ends. */
const AT_ONCE = 1000

interface ImportOptions {
  /** The id of the file's format; otherwise its content decides. */
  format?: string | undefined
  /** The name of the file's encoding; otherwise it is detected. */
  encoding?: string | undefined
  /** Only reports what would be imported. */
  dryRun?: boolean
  /**
   * The file, if it is watched. Pages that were imported from it before, or that are in the trash, count as duplicates,
   * because the owner may have deleted them. Without it, an import restores pages from the trash.
   */
  watched?: string | undefined
  /** The name of the file, for the list of imports. */
  file?: string | undefined
  /** Stops the import; bookmarks that were imported until then stay. */
  signal?: AbortSignal
  onProgress?: (progress: ImportProgress) => void
}

/**
 * Imports a bookmark file. Every record is counted as imported, duplicate or rejected; bookmarks that are already in the
 * library stay as they are. All bookmarks that it added can be undone as one step, even if the import failed.
 *
 * @param bytes the file in order
 * @throws Problem `invalid` if the file is of no known format, damaged or too large
 */
export async function importLibrary(
  ports: Ports,
  caller: Caller,
  bytes: AsyncIterable<Uint8Array>,
  { format, encoding, dryRun = false, watched, file, signal, onProgress }: ImportOptions = {}
): Promise<ImportReport> {
  const placement = await placementFor(ports, caller)
  const places = createImportPlaces(ports, caller, dryRun)
  const pictures = createImportPictures(ports, dryRun)
  const count = createImportCount(onProgress)
  const sink = dryRun
    ? createPreview(ports, watched, count)
    : createImportBatches(
        ports,
        { time: placement.savedAt, watched, file: file ?? watched?.split(/[/\\]/).at(-1) },
        count
      )

  /** The draft of an item; `undefined` if the item is no bookmark or was rejected. */
  async function draftFor(item: FileItem): Promise<ImportDraft | undefined> {
    if ('skipped' in item) count.skipped(item.skipped)
    else if ('organization' in item) await places.declare(item)
    else if ('bytes' in item) {
      const fault = await pictures.keep(item)
      if (fault !== undefined) count.reject(item, fault)
    } else {
      const draft = draftOf(item, placement, await places.ownerOf(item))
      if ('fault' in draft) count.reject(item, draft.fault)
      else if (draft.picture !== undefined && !(await pictures.has(draft.picture))) {
        count.reject(item, 'its picture is missing or could not be kept')
      } else {
        count.dropped(droppedOf(item, draft))
        return draft
      }
    }
    return undefined
  }

  try {
    const formats = await ports.formats()
    for await (const batch of formats.readFile(bytes, { format, encoding, signal })) {
      const drafts: ImportDraft[] = []
      for (const item of batch.items) {
        const draft = await draftFor(item)
        if (draft) drafts.push(draft)
      }
      count.batch(batch)
      await sink.add(drafts)
      signal?.throwIfAborted()
    }
    await sink.end()
  } catch (error) {
    const failure = await sink.idle() // pending writes end before the report
    if (signal?.aborted && failure === undefined) count.report.cancelled = true
    else Object.assign(count.report, endedBy(failure ?? error, count.report.imported))
  }
  if (!dryRun && count.report.imported <= AT_ONCE) await makeSearchable(ports, count.report.imported)
  return count.report
}

/** Indexes the newest bookmarks, before older bookmarks that are not indexed yet. */
async function makeSearchable({ library }: Ports, bookmarks: number): Promise<void> {
  for (let remaining = bookmarks; remaining > 0; ) {
    const indexed = await library.indexBatch()
    if (indexed === 0) return
    remaining -= indexed
  }
}

/** Stores the pictures of an import; a dry run only inspects them. */
function createImportPictures(ports: Ports, dryRun: boolean) {
  const seen = new Set<string>()
  return {
    /** Returns the reason why the picture cannot be stored; `undefined` if it was stored. */
    async keep({ bytes }: ImportedPicture): Promise<string | undefined> {
      const picture = await inspectPicture(ports, bytes)
      if ('fault' in picture) return picture.reason
      seen.add(picture.hash)
      if (!dryRun) await ports.library.keepOriginal(picture, ports.now())
      return undefined
    },
    has: async (hash: string): Promise<boolean> => seen.has(hash) || ports.library.hasOriginal(hash)
  }
}

/**
 * Finds the owners of bookmarks that Earmark itself exported. Organizations are found by their names, and created if they
 * do not exist. An import for an organization saves all bookmarks in it.
 */
function createImportPlaces(ports: Ports, caller: Caller, dryRun: boolean) {
  const rowIds = new Map<string, number>()
  let read = false

  async function rowIdOf(organization: string, createdAt: number): Promise<number> {
    if (!read) for (const { name, rowId } of await ports.library.listOrganizations()) rowIds.set(foldName(name), rowId)
    read = true
    const clean = cleanName(organization, 'An organization')
    const existing = rowIds.get(foldName(clean))
    if (existing !== undefined) return existing
    // A dry run creates none, so it uses an id that no organization has.
    const rowId = dryRun ? -1 - rowIds.size : (await ports.library.createOrganization(clean, createdAt)).rowId
    rowIds.set(foldName(clean), rowId)
    return rowId
  }

  return {
    async declare({ organization, createdAt }: ImportedOrganization): Promise<void> {
      if (caller.owner === null) await rowIdOf(organization, createdAt)
    },
    /** `undefined` if the record names no owner, or the caller may not choose one. */
    async ownerOf({ own }: ImportedRecord): Promise<Owner | undefined> {
      if (!own || caller.owner !== null) return undefined
      return own.organization === null ? null : rowIdOf(own.organization, ports.now())
    }
  }
}

/** A browser's file with bookmarks that an import would add. */
export interface CountedFile extends BrowserFile {
  bookmarks: number
}

/** Counts the new bookmarks of each browser on this computer, most first. Leaves out files that cannot be read now. */
export async function countBrowserFiles(ports: Ports, files: BookmarkFiles): Promise<CountedFile[]> {
  const counted: CountedFile[] = []
  for (const found of await files.ofBrowsers()) {
    const bookmarks = await countNew(ports, files, found.file)
    if (bookmarks > 0) counted.push({ ...found, bookmarks })
  }
  return counted.sort((one, other) => other.bookmarks - one.bookmarks)
}

async function countNew(ports: Ports, files: BookmarkFiles, file: string): Promise<number> {
  try {
    return (await importLibrary(ports, PROFILE, await files.open(file), { dryRun: true })).imported
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}

/**
 * Opens a browser's file for an import.
 *
 * @throws Problem `not-found` if it is no file of a browser
 */
export async function openBrowserFile(files: BookmarkFiles, file: string): Promise<AsyncIterable<Uint8Array>> {
  const all = await files.ofBrowsers()
  if (!all.some((found) => found.file === file)) throw new Problem('not-found', 'No browser has this bookmark file.')
  return files.open(file)
}
