import { BOOKMARK_TYPES, VISIBILITIES } from './bookmark.ts'
import { LINK_MARKS } from './link-check.ts'
import { STATES } from './tag-names.ts'

/**
 * The filters of the query language, written `name:value`. The parser, the window’s completion and the hints all read this
 * table. `also` are other names of the same filter; `example` is how it is written; `values` are all allowed values.
 */
export const QUERY_FILTERS = {
  tag: { also: ['tags'], example: 'tag:rust' },
  site: { also: ['domain'], example: 'site:github.com' },
  type: { also: [], example: 'type:image', values: BOOKMARK_TYPES },
  is: { also: [], example: 'is:broken', values: [...LINK_MARKS, 'untagged', 'highlighted', ...STATES] },
  title: { also: ['intitle'], example: 'title:rust' },
  in: { also: [], example: 'in:title', values: ['title'] },
  after: { also: ['since', 'from'], example: 'after:2026-01-31' },
  before: { also: [], example: 'before:2026-01-31' },
  until: { also: ['to', 'till'], example: 'until:2026-01-31' },
  on: { also: ['date', 'year', 'month', 'created', 'saved', 'added'], example: 'on:2026-01' },
  last: { also: ['newer', 'within'], example: 'last:7d' },
  order: { also: ['sort'], example: 'order:oldest', values: ['newest', 'oldest'] },
  visibility: { also: [], example: 'visibility:public', values: VISIBILITIES },
  import: { also: [], example: 'import:3' }
} satisfies Record<string, { also: string[]; example: string; values?: readonly string[] }>

export type FilterName = keyof typeof QUERY_FILTERS

/** The canonical name of each name of a filter. */
export const FILTER_NAMES: ReadonlyMap<string, FilterName> = new Map(
  (Object.keys(QUERY_FILTERS) as FilterName[]).flatMap((name) =>
    [name, ...QUERY_FILTERS[name].also].map((one): [string, FilterName] => [one, name])
  )
)
