import type { Visibility } from '../contract/bookmark.ts'
import { nearPageHash } from '../core/near-page.ts'
import { bookmarkTags } from './bookmark-tags.ts'
import type { WriteConnection } from './connection.ts'
import { statements } from './statements.ts'

/** What can change about a bookmark. Times are milliseconds since 1970. */
interface Fields {
  title: string
  description: string
  content: string
  url: string | null
  domain: string | null
  pageKey: string | null
  visibility: Visibility
  /** Row id of the organization that owns it; `null` is the profile. */
  organization: number | null
  createdAt: number
  deletedAt: number | null
  updatedAt: number
}

/** Some of a bookmark: what is to be, or what was before. `tags` are row ids in ascending order. */
export type BookmarkState = Partial<Fields> & { tags?: number[] }

const COLUMNS: Record<keyof Fields, string> = {
  title: 'title',
  description: 'description',
  content: 'content',
  url: 'url',
  domain: 'domain',
  pageKey: 'page_key',
  visibility: 'visibility',
  organization: 'organization_id',
  createdAt: 'created_at',
  deletedAt: 'deleted_at',
  updatedAt: 'updated_at'
}

/** Reads and writes parts of bookmarks; for use inside a transaction, which ends by bringing the index up to them. */
export function bookmarkStates(db: WriteConnection) {
  const tags = bookmarkTags(db)
  const prepared = statements(db)
  const other = db.prepare<[number, string, number], { deletedAt: number | null }>(
    `SELECT deleted_at AS deletedAt FROM bookmarks
     WHERE ifnull(organization_id, 0) = ? AND page_key = ? AND id <> ?`
  )
  const setNearPage = db.prepare('UPDATE bookmarks SET near_page = ? WHERE id = ?')
  const place = db.prepare<[number], { organization: number | null; pageKey: string | null }>(
    'SELECT organization_id AS organization, page_key AS pageKey FROM bookmarks WHERE id = ?'
  )

  function read(rowId: number, names: string[]): BookmarkState {
    const columns = (Object.keys(COLUMNS) as (keyof Fields)[]).filter((name) => names.includes(name))
    const list = columns.map((name) => `${COLUMNS[name]} AS ${name}`).join(', ')
    const fields = prepared(`SELECT ${list} FROM bookmarks WHERE id = ?`).get(rowId) as BookmarkState
    return names.includes('tags') ? { ...fields, tags: tags.of(rowId) } : fields
  }

  function write(rowId: number, { tags: wantedTags, ...fields }: BookmarkState): void {
    const names = Object.keys(fields) as (keyof Fields)[]
    const list = names.map((name) => `${COLUMNS[name]} = @${name}`).join(', ')
    prepared(`UPDATE bookmarks SET ${list} WHERE id = @rowId`).run({ ...fields, rowId })
    if (fields.pageKey !== undefined) setNearPage.run(nearPageHash(fields.pageKey), rowId)
    if (wantedTags) tags.replace(rowId, wantedTags)
  }

  return {
    write,
    /**
     * Makes a bookmark as it is wanted. Its time of change always moves on, so that it also tells two changes apart.
     *
     * @returns what was replaced, and the new time of change; `undefined` where all was so already
     */
    replace(
      rowId: number,
      wanted: BookmarkState,
      at: number
    ): { before: BookmarkState; changedAt: number } | undefined {
      const { updatedAt = 0, ...now } = read(rowId, [...Object.keys(wanted), 'updatedAt'])
      const same = (name: string) =>
        JSON.stringify(now[name as keyof typeof now]) === JSON.stringify(wanted[name as keyof typeof now])
      const changes = Object.keys(wanted).filter((name) => !same(name))
      if (changes.length === 0) return undefined
      const only = (state: BookmarkState): BookmarkState =>
        Object.fromEntries(Object.entries(state).filter(([name]) => changes.includes(name)))
      const changedAt = Math.max(at, updatedAt + 1)
      write(rowId, { ...only(wanted), updatedAt: changedAt })
      return { before: { ...only(now), updatedAt }, changedAt }
    },
    /** Another bookmark that would be the same page of the same owner. */
    twin(rowId: number, wanted: BookmarkState): { deletedAt: number | null } | undefined {
      const now = place.get(rowId)
      const pageKey = wanted.pageKey === undefined ? now?.pageKey : wanted.pageKey
      const owner = wanted.organization === undefined ? now?.organization : wanted.organization
      return pageKey ? other.get(owner ?? 0, pageKey, rowId) : undefined
    }
  }
}
