import type { Bookmark, BookmarkPage, BookmarkQuery } from '../contract/bookmark.ts'
import type { Caller } from '../contract/caller.ts'
import { siteOf } from '../core/address.ts'
import { foldName } from '../core/fold-name.ts'
import { MATCHED, matchExpressions } from './bookmark-index.ts'
import type { ReadConnection } from './connection.ts'
import { statements } from './statements.ts'

/** Totals are exact up to this many; counting further would cost more than anyone reads. */
const COUNT_CAP = 1000

/** What can be asked about bookmarks. A caller never learns of one it may not see, not even by counting. */
export function bookmarkReads(db: ReadConnection) {
  const prepared = statements(db)

  function page(source: Source, query: BookmarkQuery): BookmarkPage {
    const { from, where, order, values } = source
    const counted = prepared(`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${COUNT_CAP + 1})`)
      .pluck()
      .get(values) as number
    const rows = prepared(
      `SELECT ${COLUMNS} FROM ${from} LEFT JOIN organizations o ON o.id = b.organization_id
       WHERE ${where} ORDER BY ${order} LIMIT @limit OFFSET @offset`
    ).all({ ...values, limit: query.limit, offset: (query.page - 1) * query.limit }) as BookmarkRow[]
    return { total: Math.min(counted, COUNT_CAP), atLeast: counted > COUNT_CAP, bookmarks: rows.map(toBookmark) }
  }

  return {
    searchBookmarks(caller: Caller, query: BookmarkQuery): BookmarkPage {
      const base = restrict(caller, query)
      const newest = { ...base, from: 'bookmarks b', order: 'b.id DESC' }
      if (query.words === undefined) return page(newest, query)
      const expressions = matchExpressions(query.words)
      if ('except' in expressions) {
        const where = `${base.where} AND b.id NOT IN (SELECT rowid FROM bookmark_words WHERE ${MATCHED.where})`
        return page({ ...newest, where, values: { ...base.values, match: expressions.except } }, query)
      }
      let found: BookmarkPage = { total: 0, atLeast: false, bookmarks: [] }
      for (const match of expressions.try) {
        found = page(
          {
            from: MATCHED.from,
            where: `${MATCHED.where} AND ${base.where}`,
            order: MATCHED.order,
            values: { ...base.values, match }
          },
          query
        )
        if (found.total > 0) break
      }
      return found
    },

    countBookmarks(caller: Caller): number {
      const { where, values } = restrict(caller, {})
      return prepared(`SELECT count(*) FROM bookmarks b WHERE ${where}`).pluck().get(values) as number
    }
  }
}

interface Source {
  from: string
  where: string
  order: string
  values: Record<string, string | number>
}

/** The rows a caller may see, narrowed by the filters. Values are bound, never written into the SQL. */
function restrict(caller: Caller, query: Partial<BookmarkQuery>): Pick<Source, 'where' | 'values'> {
  const where = ['b.deleted_at IS NULL']
  const values: Source['values'] = {}
  if (caller.owner !== null) {
    where.push("(b.organization_id = @owner OR b.visibility = 'public')")
    values.owner = caller.owner
  }
  if (query.type) {
    where.push('b.type = @type')
    values.type = query.type
  }
  if (query.visibility) {
    where.push('b.visibility = @visibility')
    values.visibility = query.visibility
  }
  if (query.domain) {
    where.push("(b.domain = @domain OR substr(b.domain, -length(@domain) - 1) = '.' || @domain)")
    values.domain = siteOf(query.domain)
  }
  for (const [index, tag] of (query.tags ?? []).entries()) {
    where.push(
      `EXISTS (SELECT 1 FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
        WHERE bt.bookmark_id = b.id AND t.folded = @tag${index})`
    )
    values[`tag${index}`] = foldName(tag)
  }
  return { where: where.join(' AND '), values }
}

const COLUMNS = `b.public_id AS id, b.type, b.visibility, o.name AS organization, b.url, b.domain, b.title,
  b.description, b.content, b.created_at AS createdAt, b.updated_at AS updatedAt,
  (SELECT json_group_array(name) FROM (SELECT t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
    WHERE bt.bookmark_id = b.id ORDER BY t.folded)) AS tags`

type BookmarkRow = Omit<Bookmark, 'tags'> & { tags: string }

function toBookmark(row: BookmarkRow): Bookmark {
  return { ...row, tags: JSON.parse(row.tags) as string[] }
}
