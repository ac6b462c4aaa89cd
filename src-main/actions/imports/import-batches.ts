import type { Dropped, ImportProgress, ImportReport, Skipped } from '../../contract/import-report.ts'
import type { ImportDraft, ImportedStatus, PackedDrafts } from '../../contract/library-export.ts'
import { packDrafts } from '../../core/packed-drafts.ts'
import { pageKey } from '../../core/page-key.ts'
import type { Ports } from '../ports.ts'

/**
 * Bookmarks a transaction, and their text in UTF-16 code units; between two of them other writes get their turn. Each
 * transaction writes every page of an index that it touches, so of larger ones there are fewer to write.
 */
const BATCH = { bookmarks: 4000, text: 4_194_304 }

/** Bookmarks packed at a time, and their text in UTF-16 code units: what is packed soon is forgotten soon, which keeps memory small. */
const PIECE = { bookmarks: 100, text: 262_144 }

/** Where an import's drafts go, in order. */
export interface ImportSink {
  add(draft: ImportDraft): Promise<void>
  /** Takes in what is left, and resolves once all is on disk. */
  end(): Promise<void>
  /** Resolves once nothing is under way, with what went wrong with it, if something did. */
  idle(): Promise<unknown>
}

interface ImportWay {
  /** When it began, in milliseconds since 1970. */
  at: number
  /** The file that is watched: what it gave before, or what is in the trash, counts as a duplicate. */
  watched: string | undefined
}

/** Saves drafts a batch at a time: one is written, and one waits for its turn, while the next is read. */
export function createImportBatches(ports: Ports, { at, watched }: ImportWay, count: ImportCount): ImportSink {
  const { library } = ports
  const withOwnIds = createOwnIds(ports)
  let piece: ImportDraft[] = []
  let pieceText = 0
  let batch = emptyBatch()
  let saving: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()]
  let begun: Promise<number> | undefined

  async function pack(): Promise<void> {
    const all = piece
    batch.bookmarks += all.length
    batch.text += pieceText
    piece = []
    pieceText = 0
    const drafts = await withOwnIds(watched === undefined ? all : await newFromWatched(ports, watched, all))
    count.duplicates(all.length - drafts.length)
    if (watched !== undefined) batch.pages.push(...all.map(pageOf))
    if (drafts.length > 0) batch.packed.push(packDrafts(drafts))
  }

  async function save({ packed, pages }: Batch): Promise<void> {
    if (packed.length > 0) {
      begun ??= library.beginImport(at)
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
    saving[1].catch(() => {}) // told to whoever waits for it next
  }

  return {
    async add(draft) {
      piece.push(draft)
      pieceText += textOf(draft)
      if (piece.length === PIECE.bookmarks || pieceText >= PIECE.text) await pack()
      if (batch.bookmarks >= BATCH.bookmarks || batch.text >= BATCH.text) await saveBatch()
    },
    async end() {
      if (piece.length > 0) await pack()
      if (batch.bookmarks > 0) await saveBatch()
      await Promise.all(saving)
    },
    async idle() {
      const ends = await Promise.allSettled(saving)
      return ends.find((end) => end.status === 'rejected')?.reason
    }
  }
}

/** How much text a draft holds, in UTF-16 code units. */
export function textOf({ title, description, content, pageText = '' }: ImportDraft): number {
  return title.length + description.length + content.length + pageText.length
}

interface Batch {
  packed: PackedDrafts[]
  /** How many they were before some were left out. */
  bookmarks: number
  text: number
  /** The pages that a watched file gave, to be remembered. */
  pages: ReturnType<typeof pageOf>[]
}

function emptyBatch(): Batch {
  return { packed: [], bookmarks: 0, text: 0, pages: [] }
}

type Page = Pick<ImportDraft, 'owner' | 'pageKey'>

/** Returns the drafts that a watched file did not give before and whose pages the owner has not deleted. */
export async function newFromWatched({ library }: Ports, file: string, drafts: ImportDraft[]): Promise<ImportDraft[]> {
  const pages = drafts.map(pageOf)
  const [inTrash, given] = await Promise.all([library.areInTrash(pages), library.wereGiven(file, pages)])
  return drafts.filter((_, index) => !inTrash[index] && !given[index])
}

function pageOf({ owner, pageKey }: ImportDraft): Page {
  return { owner, pageKey }
}

/** Drafts whose ids are remembered: more than wait to be written. */
const MOST_RECENT = 16_384

/**
 * Takes away the ids of drafts that another page has, so that they are imported under new ones: a file may be anybody's
 * work, and what shares no more than an id with a bookmark here is not that bookmark.
 */
export function createOwnIds({ library }: Pick<Ports, 'library'>): (drafts: ImportDraft[]) => Promise<ImportDraft[]> {
  /** Page keys by id, of drafts that the library may not hold yet. */
  const recent = new Map<string, string>()

  function remember(id: string, key: string): void {
    recent.set(id, key)
    if (recent.size <= MOST_RECENT) return
    for (const [oldest] of recent) return void recent.delete(oldest)
  }

  return async (drafts) => {
    const ids = drafts.filter(isPage).map(({ id }) => id)
    if (ids.length === 0) return drafts
    const known = new Map((await library.readBookmarks(ids)).map(({ id, url }) => [id, url]))
    return drafts.map((draft) => {
      if (!isPage(draft)) return draft
      const { id, ...rest } = draft
      const url = known.get(id)
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

/** Rejected records that are listed, so that a file of nothing else cannot fill the memory. */
const MOST_REJECTS = 1000

export type ImportCount = ReturnType<typeof createImportCount>

/** Puts every record of an import in one of three counts. */
export function createImportCount(onProgress?: (progress: ImportProgress) => void) {
  const report: ImportReport = { imported: 0, duplicate: 0, rejected: 0, rejects: [] }
  let read = 0
  let found = 0

  function tell(): void {
    const { imported, duplicate, rejected } = report
    onProgress?.({ read, found, imported, duplicate, rejected })
  }

  return {
    report,
    bytes(length: number): void {
      read += length
      tell()
    },
    found(records: number): void {
      found += records
    },
    skipped(what: Skipped): void {
      report.skipped ??= {}
      report.skipped[what] = (report.skipped[what] ?? 0) + 1
    },
    encoding(name: string): void {
      if (!report.encodings?.includes(name)) report.encodings = [...(report.encodings ?? []), name]
    },
    duplicates(more: number): void {
      report.duplicate += more
    },
    dropped(all: Dropped[]): void {
      for (const what of all) {
        report.dropped ??= {}
        report.dropped[what] = (report.dropped[what] ?? 0) + 1
      }
    },
    saved(statuses: ImportedStatus[], importId?: number): void {
      for (const status of statuses) {
        report[status === 'saved' ? 'imported' : 'duplicate'] += 1
        if (status !== 'saved' && status !== 'existing') report.repeated = (report.repeated ?? 0) + 1
        if (status === 'merged' || status === 'merged in part') report.merged = (report.merged ?? 0) + 1
        if (status === 'merged in part') this.dropped(['ends of long descriptions'])
      }
      if (importId !== undefined && report.imported > 0) report.undo = importId
      tell()
    },
    reject({ line }: { line: number }, reason: string, file?: string): void {
      report.rejected += 1
      if (report.rejects.length < MOST_REJECTS) report.rejects.push({ line, reason, file })
      else report.unlisted = (report.unlisted ?? 0) + 1
    }
  }
}
