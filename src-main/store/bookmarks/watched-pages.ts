import type { ImportDraft } from '../../contract/library-import.ts'
import { hashText } from '../../core/hash-text.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'

type Page = Pick<ImportDraft, 'owner' | 'pageKey'>

/** What watched files give. */
export const watchedPages = family({ here: watchedReads, writes: watchedWrites, emits: { rememberPages: noEvents } })

/** What the writing thread can do with what watched files give. */
function watchedWrites(db: WriteConnection) {
  const insert = db.prepare('INSERT OR IGNORE INTO watched_pages (source, page) VALUES (?, ?)')
  return {
    /** Remembers that a file gave these pages, whatever becomes of them. */
    rememberPages: db.transaction((file: string, pages: Page[]): void => {
      const source = hashText(file)
      for (const page of pages.map(hashOf)) if (page !== undefined) insert.run(source, page)
    })
  }
}

/** What can be asked about what watched files give. */
function watchedReads(db: ReadConnection) {
  const find = db.prepare('SELECT EXISTS (SELECT 1 FROM watched_pages WHERE source = ? AND page = ?)').pluck()
  return {
    /** Whether a file gave these pages before, each by itself. */
    wereGiven(file: string, pages: Page[]): boolean[] {
      const source = hashText(file)
      return pages.map(hashOf).map((page) => page !== undefined && find.get(source, page) === 1)
    }
  }
}

/** `undefined` for what has no page: a browser has nothing else. */
function hashOf({ owner, pageKey }: Page): number | undefined {
  return pageKey === null ? undefined : hashText(`${owner ?? 0} ${pageKey}`)
}
