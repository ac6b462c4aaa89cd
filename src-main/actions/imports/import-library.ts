import { setImmediate } from 'node:timers/promises'
import { LIMITS } from '../../contract/bookmark.ts'
import type { Caller, Owner } from '../../contract/caller.ts'
import type { ImportedOrganization, ImportedPicture, ImportedRecord } from '../../contract/import-format.ts'
import type { Dropped, ImportProgress, ImportReport } from '../../contract/import-report.ts'
import type { ImportDraft } from '../../contract/library-export.ts'
import { MAX_PAGE_TEXT } from '../../contract/page-details.ts'
import { fitsTag } from '../../contract/tag-names.ts'
import { holdsLogin } from '../../core/address.ts'
import { cleanLines, cleanText, foldName } from '../../core/clean-text.ts'
import { placementFor } from '../bookmarks/bookmark-fields.ts'
import { endedBy } from '../long-work.ts'
import { cleanName } from '../organizations.ts'
import { inspectPicture } from '../pictures.ts'
import type { Ports } from '../ports.ts'
import { createImportBatches, createImportCount } from './import-batches.ts'
import { draftOf } from './import-drafts.ts'
import { createPreview } from './preview-import.ts'
import { readItems } from './read-items.ts'

/** An import that added no more than this is searchable before it is answered. */
const AT_ONCE = 1000

interface ImportOptions {
  /** The id of the file's format; otherwise its content decides. */
  format?: string
  /** The name of the file's encoding; otherwise it is detected. */
  encoding?: string | undefined
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
  { format, encoding, dryRun = false, watched, signal, onProgress }: ImportOptions = {}
): Promise<ImportReport> {
  const placement = await placementFor(ports, caller)
  const places = createImportPlaces(ports, caller, dryRun)
  const pictures = createImportPictures(ports, dryRun)
  const count = createImportCount(onProgress)
  const sink = dryRun
    ? createPreview(ports, watched, count)
    : createImportBatches(ports, { at: placement.savedAt, watched }, count)

  async function readAll(): Promise<void> {
    const formats = await ports.formats()
    const options = {
      format,
      encoding,
      onPassedOver: () => count.dropped(['other files of the archive']),
      onFound: count.found,
      onEncoding: count.encoding
    }
    for await (const item of readItems(formats, untilStopped(bytes, signal, count.bytes), options)) {
      if ('skipped' in item) {
        count.skipped(item.skipped)
        continue
      }
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
        count.dropped(droppedOf(item, draft))
        await sink.add(draft)
      }
      signal?.throwIfAborted()
    }
    await sink.end()
  }

  try {
    await readAll()
  } catch (error) {
    const failure = await sink.idle() // what is under way is over before anyone is told
    if (signal?.aborted && failure === undefined) count.report.cancelled = true
    else Object.assign(count.report, endedBy(failure ?? error, count.report.imported))
  }
  if (!dryRun && count.report.imported <= AT_ONCE) await makeSearchable(ports, count.report.imported)
  return count.report
}

/** Has the last bookmarks indexed, however many others wait for their turn. */
async function makeSearchable({ library }: Ports, bookmarks: number): Promise<void> {
  for (let left = bookmarks; left > 0; ) {
    const indexed = await library.indexSome()
    if (indexed === 0) return
    left -= indexed
  }
}

/**
 * Lists the parts of a record that its draft does not keep: fields a bookmark has no room for, and the ends of long
 * texts.
 */
function droppedOf(record: ImportedRecord, draft: ImportDraft) {
  const { url, title, description, content = '', pageText = '', tags, dropped = [] } = record
  const all: Dropped[] = [...dropped]
  if (isLonger(title, LIMITS.title, cleanText)) all.push('ends of long titles')
  if (draft.description !== '' && isLonger(description, LIMITS.description, cleanLines)) {
    all.push('ends of long descriptions')
  }
  const text = draft.type === 'text' && content === '' ? description : content
  if (isLonger(text, LIMITS.content, cleanLines) || isLonger(pageText, MAX_PAGE_TEXT, cleanLines)) {
    all.push('ends of long texts')
  }
  if ([title, description, content, pageText, ...tags].some((one) => one.includes('\ufffd'))) {
    all.push('unreadable characters')
  }
  if (tags.some((tag) => tag.length > LIMITS.tagName && !fitsTag(cleanText(tag, tag.length))))
    all.push('ends of long tags')
  if (tags.length > LIMITS.tags && draft.tags.length === LIMITS.tags) all.push('tags beyond the 64th')
  if (holdsLogin(url)) all.push('user names and passwords in addresses')
  return all
}

/** Whether anything is left out of a text; nearly all are short, and only the others are cleaned once more. */
function isLonger(text: string, limit: number, clean: (text: string, limit: number) => string): boolean {
  return text.length > limit && clean(text, text.length).length > limit
}

/** Keeps the pictures of an import, or with a dry run only looks at them. */
function createImportPictures(ports: Ports, dryRun: boolean) {
  const seen = new Set<string>()
  return {
    /** @returns why it cannot be kept */
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
 * Finds the owners of what Earmark itself exported: organizations go by their names, and are made where there are none.
 * An import for an organization keeps everything in it.
 */
function createImportPlaces(ports: Ports, caller: Caller, dryRun: boolean) {
  const known = new Map<string, number>()
  let read = false

  async function rowIdOf(name: string, createdAt: number): Promise<number> {
    if (!read) for (const one of await ports.library.listOrganizations()) known.set(foldName(one.name), one.rowId)
    read = true
    const clean = cleanName(name, 'An organization')
    const found = known.get(foldName(clean))
    if (found !== undefined) return found
    // One that is only imagined has an id that no other has.
    const rowId = dryRun ? -1 - known.size : (await ports.library.createOrganization(clean, createdAt)).rowId
    known.set(foldName(clean), rowId)
    return rowId
  }

  return {
    async declare({ organization, createdAt }: ImportedOrganization): Promise<void> {
      if (caller.owner === null) await rowIdOf(organization, createdAt)
    },
    /** `undefined` where the record does not say, or may not. */
    async ownerOf({ own }: ImportedRecord): Promise<Owner | undefined> {
      if (!own || caller.owner !== null) return undefined
      return own.organization === null ? null : rowIdOf(own.organization, ports.now())
    }
  }
}

/** Bytes that are read at once, a few milliseconds' work; in between others get their turn. */
const STEP = 16_384

/**
 * A file's pieces until somebody stops reading, even where the next one is long in coming. Being stopped is not the
 * file's end: a record cut in two would count as one.
 *
 * @param onRead told how many bytes were worked off
 * @throws the signal's reason once it is aborted
 */
async function* untilStopped(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  onRead: (length: number) => void
): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await orStopped(pieces.next(), signal)
      if (done) return
      for (let at = 0; at < value.length; at += STEP) {
        const piece = value.subarray(at, at + STEP)
        yield piece
        onRead(piece.length)
        await setImmediate()
        signal?.throwIfAborted()
      }
    }
  } finally {
    void pieces.return?.().catch(() => {}) // nobody waits for a sender that stalls
  }
}

/** Listens only as long as it waits: what waits for a signal that never comes would keep every piece. */
function orStopped<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    waited.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })
}
