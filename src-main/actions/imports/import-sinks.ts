import type { FileItem, ImportedPicture, ImportedRecord, ReadBatch } from '../../contract/import-format.ts'
import type { Dropped, ImportProgress, ImportReport, Skipped } from '../../contract/import-report.ts'
import type { ImportDraft, ImportedStatus, PackedDrafts } from '../../contract/library-export.ts'
import { withoutLogins } from '../../core/address.ts'
import { cleanText } from '../../core/clean-text.ts'
import { packDrafts } from '../../core/packed-drafts.ts'
import { pageKey } from '../../core/page-key.ts'
import type { Ports } from '../ports.ts'

/**
 * Maximum number of bookmarks in a transaction, and of their UTF-16 code units. Other writes run between two
 * transactions. A transaction writes each page of an index that it changes once, so larger transactions write fewer
 * pages.
 */
const BATCH = { bookmarks: 4000, text: 4_194_304 }

/** The destination of an import's drafts, in order. */
export interface ImportSink {
  add(drafts: ImportDraft[]): Promise<void>
  /** Saves the remaining drafts. Resolves when all are on disk. */
  end(): Promise<void>
  /** Resolves when no write is pending, with the error of a write that failed. */
  idle(): Promise<unknown>
}

interface ImportWay {
  /** When the import began, in milliseconds since 1970. */
  time: number
  /** The file, if it is watched. Its pages that were imported before, or are in the trash, count as duplicates. */
  watched: string | undefined
  /** The name of the file. */
  file: string | undefined
}

/** Saves drafts in batches. While one batch is written, and another waits, the next is read. */
export function createImportBatches(ports: Ports, { time, watched, file }: ImportWay, count: ImportCount): ImportSink {
  const { library } = ports
  const withOwnIds = createOwnIds(ports)
  let batch = emptyBatch()
  let saving: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()]
  let begun: Promise<number> | undefined

  async function save({ packed, pages }: Batch): Promise<void> {
    if (packed.length > 0) {
      begun ??= library.beginImport(time, file)
      const importId = await begun
      count.saved(await library.importBookmarks(importId, packed), importId)
    }
    if (watched !== undefined) await library.rememberPages(watched, pages)
  }

  async function saveBatch(): Promise<void> {
    const full = batch
    batch = emptyBatch()
    const [first, second] = saving
    await first
    saving = [second, save(full)]
    saving[1].catch(() => {}) // reported to whoever awaits it next
  }

  return {
    async add(all) {
      batch.bookmarks += all.length
      batch.text += all.reduce((sum, draft) => sum + textLength(draft), 0)
      const drafts = await withOwnIds(watched === undefined ? all : await newFromWatched(ports, watched, all))
      count.duplicates(all.length - drafts.length)
      if (watched !== undefined) batch.pages.push(...all.map(pageOf))
      // Bytes are outside the heap and freed soon; objects would leave 100 MB of garbage.
      if (drafts.length > 0) batch.packed.push(packDrafts(drafts))
      if (batch.bookmarks >= BATCH.bookmarks || batch.text >= BATCH.text) await saveBatch()
    },
    async end() {
      if (batch.bookmarks > 0) await saveBatch()
      await Promise.all(saving)
    },
    async idle() {
      const ends = await Promise.allSettled(saving)
      return ends.find((end) => end.status === 'rejected')?.reason
    }
  }
}

function textLength({ title, description, content, pageText }: ImportDraft): number {
  return title.length + description.length + content.length + (pageText?.markdown ?? pageText?.text ?? '').length
}

interface Batch {
  packed: PackedDrafts[]
  /** Number of drafts, including those that were imported from the watched file before. */
  bookmarks: number
  text: number
  /** The pages of a watched file, to be stored as imported. */
  pages: ReturnType<typeof pageOf>[]
}

function emptyBatch(): Batch {
  return { packed: [], bookmarks: 0, text: 0, pages: [] }
}

/** Returns the drafts that were not imported from the watched file before, and whose pages are not in the trash. */
async function newFromWatched({ library }: Ports, file: string, drafts: ImportDraft[]): Promise<ImportDraft[]> {
  const pages = drafts.map(pageOf)
  const [inTrash, given] = await Promise.all([library.areInTrash(pages), library.wereGiven(file, pages)])
  return drafts.filter((_, index) => !inTrash[index] && !given[index])
}

function pageOf({ owner, pageKey }: ImportDraft): Pick<ImportDraft, 'owner' | 'pageKey'> {
  return { owner, pageKey }
}

/**
 * Counts the statuses that saving the drafts would return. Earlier drafts are remembered, because a file may contain a
 * page twice.
 *
 * @param watched the file, if it is watched
 */
export function createPreview(ports: Ports, watched: string | undefined, count: ImportCount): ImportSink {
  const seen = new Map<string, ImportedStatus>()
  const withOwnIds = createOwnIds(ports)
  return {
    async add(all) {
      const drafts = await withOwnIds(watched === undefined ? all : await newFromWatched(ports, watched, all))
      count.duplicates(all.length - drafts.length)
      const statuses = await ports.library.previewImport(drafts)
      count.saved(
        statuses.map((status, index) => {
          const [first = '', ...others] = keysOf(drafts[index] as ImportDraft)
          const before = seen.get(first)
          if (before !== undefined) return before === 'saved' ? 'repeated' : before
          for (const key of [first, ...others]) if (!seen.has(key)) seen.set(key, status)
          return status
        })
      )
    },
    end: async () => {},
    idle: async () => undefined
  }
}

/**
 * Returns the keys of a draft. The first key decides whether the draft is a repetition. An export has an id for each
 * bookmark, and may have two bookmarks of one page.
 */
function keysOf({ id, owner, pageKey, type, content }: ImportDraft): string[] {
  const page = pageKey === null ? [] : [`${owner ?? 0} ${pageKey}`]
  if (id !== undefined) return [`id ${id}`, ...page]
  return page.length > 0 ? page : [`${owner ?? 0} ${type} ${content}`]
}

/** Maximum number of remembered ids. It is larger than the number of drafts that wait to be written. */
const MAX_RECENT = 16_384

/**
 * Removes the id of a draft if another page has it, so that the draft gets a new id. Anybody may have written the file,
 * and a draft that shares only the id with a bookmark here is another bookmark.
 */
function createOwnIds({ library }: Pick<Ports, 'library'>): (drafts: ImportDraft[]) => Promise<ImportDraft[]> {
  /** Page keys by id, of drafts that may not be in the library yet. */
  const recent = new Map<string, string>()

  function remember(id: string, key: string): void {
    recent.set(id, key)
    if (recent.size <= MAX_RECENT) return
    for (const [oldest] of recent) return void recent.delete(oldest)
  }

  return async (drafts) => {
    const ids = drafts.filter(isPage).map(({ id }) => id)
    if (ids.length === 0) return drafts
    const stored = new Map((await library.readBookmarks(ids)).map(({ id, url }) => [id, url]))
    return drafts.map((draft) => {
      if (!isPage(draft)) return draft
      const { id, ...rest } = draft
      const url = stored.get(id)
      const key = recent.get(id) ?? (url === undefined ? draft.pageKey : url && pageKey(url))
      if (key !== draft.pageKey) return rest
      remember(id, key)
      return draft
    })
  }
}

function isPage(draft: ImportDraft): draft is ImportDraft & { id: string; pageKey: string } {
  return draft.id !== undefined && draft.pageKey !== null && draft.url !== null
}

/** Maximum number of rejected records that are listed, so that a file with many of them cannot fill the memory. */
const MAX_REJECTS = 1000

/** Maximum length of a rejected record's name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 120

export type ImportCount = ReturnType<typeof createImportCount>

/** Puts every record of an import in one of three counts. */
export function createImportCount(onProgress?: (progress: ImportProgress) => void) {
  const report: ImportReport = { imported: 0, duplicate: 0, rejected: 0, rejects: [] }
  let read = 0
  let found = 0

  function reportProgress(): void {
    const { imported, duplicate, rejected } = report
    onProgress?.({ read, found, imported, duplicate, rejected })
  }

  return {
    report,
    batch(batch: ReadBatch): void {
      read += batch.bytes
      found += batch.found
      for (const name of batch.encodings) {
        if (!report.encodings?.includes(name)) report.encodings = [...(report.encodings ?? []), name]
      }
      if (batch.passedOver > 0) this.dropped(['other files of the archive'], batch.passedOver)
      reportProgress()
    },
    skipped(kind: Skipped): void {
      report.skipped ??= {}
      report.skipped[kind] = (report.skipped[kind] ?? 0) + 1
    },
    duplicates(more: number): void {
      report.duplicate += more
    },
    dropped(kinds: Dropped[], bookmarks = 1): void {
      for (const kind of kinds) {
        report.dropped ??= {}
        report.dropped[kind] = (report.dropped[kind] ?? 0) + bookmarks
      }
    },
    saved(statuses: ImportedStatus[], importId?: number): void {
      for (const status of statuses) {
        report[status === 'saved' ? 'imported' : 'duplicate'] += 1
        if (status === 'highlighted') report.highlighted = (report.highlighted ?? 0) + 1
        else if (status !== 'saved' && status !== 'existing') report.repeated = (report.repeated ?? 0) + 1
        if (status === 'merged' || status === 'merged in part') report.merged = (report.merged ?? 0) + 1
        if (status === 'merged in part') this.dropped(['ends of long descriptions'])
      }
      if (importId !== undefined && (report.imported > 0 || report.highlighted)) report.undo = importId
      reportProgress()
    },
    reject({ line, file, ...item }: Rejected, reason: string): void {
      report.rejected += 1
      const name = 'url' in item ? nameOf(item) : undefined
      if (report.rejects.length < MAX_REJECTS) report.rejects.push({ line, name, reason, file })
      else report.unlisted = (report.unlisted ?? 0) + 1
    }
  }
}

type Rejected = FileItem & (ImportedRecord | ImportedPicture)

/** Returns the title or address under which a rejected record is listed. */
function nameOf({ title, url }: ImportedRecord): string | undefined {
  return cleanText(withoutLogins(title), MAX_NAME_LENGTH) || cleanText(withoutLogins(url), MAX_NAME_LENGTH) || undefined
}
