import type { ImportDraft, PackedDrafts } from '../../contract/library-import.ts'
import { packDrafts } from '../../core/packed-drafts.ts'
import type { Ports } from '../ports.ts'
import type { ImportCount } from './import-count.ts'
import { newFromWatched, pageOf } from './new-from-watched.ts'
import { createOwnIds } from './own-ids.ts'

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
