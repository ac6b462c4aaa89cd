import type { ImportDraft } from '../../contract/library-export.ts'
import { hashText } from '../../core/page-key.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { exists, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'

type Page = Pick<ImportDraft, 'owner' | 'pageKey'>

/** Remembers that a watched file gave these pages, whatever becomes of them. */
export function rememberPages(db: WriteConnection, file: string, pages: Page[]): Written<void> {
  const source = hashText(file)
  for (const page of pages.map(hashOf)) {
    if (page === undefined) continue
    run(db)`INSERT OR IGNORE INTO watched_pages (source, page) VALUES (${source}, ${page})`
  }
  return { answer: undefined, events: [] }
}

/** Returns whether a watched file gave these pages before, each by itself. */
export function wereGiven(db: ReadConnection, file: string, pages: Page[]): boolean[] {
  const source = hashText(file)
  return pages
    .map(hashOf)
    .map(
      (page) =>
        page !== undefined && exists(db)`SELECT 1 FROM watched_pages WHERE source = ${source} AND page = ${page}`
    )
}

/** `undefined` for what has no page: a browser has nothing else. */
function hashOf({ owner, pageKey }: Page): number | undefined {
  return pageKey === null ? undefined : hashText(`${owner ?? 0} ${pageKey}`)
}
