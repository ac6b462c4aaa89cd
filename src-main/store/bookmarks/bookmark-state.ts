import type { Visibility } from '../../contract/bookmark.ts'
import { nearPageHash } from '../../core/near-page.ts'
import type { WriteConnection } from '../connection.ts'
import { statements } from '../statements.ts'
import { bookmarkTags } from './bookmark-tags.ts'

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

/** Some of a bookmark: what is to be, or what was before; `undefined` stays as it is. `tags` are row ids in ascending order. */
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

const TEXTS = ['title', 'description'] as const

/** Reads and writes parts of bookmarks; for use inside a transaction, which ends by bringing the index up to them. */
export function bookmarkStates(db: WriteConnection) {
  const sql = stateStatements(db)
  const tags = bookmarkTags(db)
  const prepared = statements(db)

  function read(rowId: number, names: string[]): BookmarkState {
    const columns = (Object.keys(COLUMNS) as (keyof Fields)[]).filter((name) => names.includes(name))
    const list = columns.map((name) => `${COLUMNS[name]} AS ${name}`).join(', ')
    const fields = prepared(`SELECT ${list} FROM bookmarks WHERE id = ?`).get(rowId) as BookmarkState
    return names.includes('tags') ? { ...fields, tags: tags.of(rowId) } : fields
  }

  /** What a bookmark has from its page, and nobody wrote, does not go with it to another address. */
  function leavingPage(rowId: number, wanted: BookmarkState): BookmarkState {
    const said = wanted.url === undefined ? undefined : sql.page.get(rowId)
    if (!said || said.url === wanted.url) return wanted
    const given = TEXTS.filter((name) => said[name] !== '' && wanted[name] === undefined)
    return { ...wanted, ...Object.fromEntries(given.map((name) => [name, ''])) }
  }

  function write(rowId: number, state: BookmarkState): void {
    const { tags: wantedTags, ...fields } = leavingPage(rowId, state)
    const names = Object.keys(fields) as (keyof Fields)[]
    const list = names.map((name) => `${COLUMNS[name]} = @${name}`).join(', ')
    prepared(`UPDATE bookmarks SET ${list} WHERE id = @rowId`).run({ ...fields, rowId })
    if (fields.pageKey !== undefined) sql.setNearPage.run(nearPageHash(fields.pageKey), rowId)
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
      const texts = wanted.url === undefined ? [] : TEXTS
      const { updatedAt = 0, ...now } = read(rowId, [...Object.keys(wanted), ...texts, 'updatedAt'])
      const changes = Object.entries(wanted).filter(
        ([name, value]) =>
          value !== undefined && JSON.stringify(now[name as keyof typeof now]) !== JSON.stringify(value)
      )
      if (changes.length === 0) return undefined
      const state = leavingPage(rowId, Object.fromEntries(changes))
      const before = Object.fromEntries(Object.entries(now).filter(([name]) => name in state))
      const changedAt = Math.max(at, updatedAt + 1)
      write(rowId, { ...state, updatedAt: changedAt })
      return { before: { ...before, updatedAt }, changedAt }
    },
    /** Another bookmark that would be the same page of the same owner. */
    twin(rowId: number, wanted: BookmarkState): { deletedAt: number | null } | undefined {
      const now = sql.place.get(rowId)
      const pageKey = wanted.pageKey === undefined ? now?.pageKey : wanted.pageKey
      const owner = wanted.organization === undefined ? now?.organization : wanted.organization
      return pageKey ? sql.other.get(owner ?? 0, pageKey, rowId) : undefined
    }
  }
}

function stateStatements(db: WriteConnection) {
  return {
    other: db.prepare<[number, string, number], { deletedAt: number | null }>(
      `SELECT deleted_at AS deletedAt FROM bookmarks
       WHERE ifnull(organization_id, 0) = ? AND page_key = ? AND id <> ?`
    ),
    setNearPage: db.prepare('UPDATE bookmarks SET near_page = ? WHERE id = ?'),
    page: db.prepare<[number], { url: string | null; title: string; description: string }>(
      `SELECT b.url, iif(d.title = b.title, b.title, '') AS title,
         iif(d.description = b.description, b.description, '') AS description
       FROM bookmarks b JOIN page_details d ON d.bookmark_id = b.id WHERE b.id = ?`
    ),
    place: db.prepare<[number], { organization: number | null; pageKey: string | null }>(
      'SELECT organization_id AS organization, page_key AS pageKey FROM bookmarks WHERE id = ?'
    )
  }
}
