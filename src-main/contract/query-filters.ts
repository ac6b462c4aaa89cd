/**
 * The filters of the query language, written `name:value`. The parser, the window’s completion and the hints all read this
 * table. `also` are other names of the same filter; `example` is how it is written.
 */
export const QUERY_FILTERS = {
  tag: { also: ['tags'], example: 'tag:rust' },
  site: { also: ['domain'], example: 'site:github.com' },
  type: { also: [], example: 'type:image' },
  is: { also: [], example: 'is:broken' },
  title: { also: ['intitle'], example: 'title:rust' },
  in: { also: [], example: 'in:title' },
  after: { also: ['since', 'from'], example: 'after:2026-01-31' },
  before: { also: [], example: 'before:2026-01-31' },
  until: { also: ['to', 'till'], example: 'until:2026-01-31' },
  on: { also: ['date', 'year', 'month', 'created', 'saved', 'added'], example: 'on:2026-01' },
  last: { also: ['newer', 'within'], example: 'last:7d' },
  order: { also: ['sort'], example: 'order:oldest' },
  visibility: { also: [], example: 'visibility:public' }
} satisfies Record<string, { also: string[]; example: string }>

export type FilterName = keyof typeof QUERY_FILTERS

/** The canonical name of each name of a filter. */
export const FILTER_NAMES: ReadonlyMap<string, FilterName> = new Map(
  (Object.keys(QUERY_FILTERS) as FilterName[]).flatMap((name) =>
    [name, ...QUERY_FILTERS[name].also].map((one): [string, FilterName] => [one, name])
  )
)
