import { t } from '@lingui/core/macro'
import type { ShownBookmark } from '../../api/client.ts'
import { searchAddress, tagFilter, writeFilter } from '../../lib/filters.ts'
import { addressInLetters, siteInLetters } from '../../lib/labels.ts'
import { number } from '../../lib/locale.ts'
import { matchNames, matchTags } from '../../lib/match-names.ts'
import type { TagCount } from '../../lib/tag-tree.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
import { IconBookmark, IconBuilding, IconListSearch, IconSearch, IconTag } from '../../ui/icons/icons.ts'

export interface PaletteRow {
  /** Distinguishes rows with the same name. */
  id?: string | undefined
  name: string
  /** Other words by which a command is found. */
  also?: string | undefined
  /** Text beside the name: a site, a count. */
  beside?: string | undefined
  /** The keys that do the same without the palette. */
  keys?: string[] | undefined
  icon?: Icon | undefined
  run(): void
}

export interface PaletteGroup {
  label: string
  rows: PaletteRow[]
}

export interface PaletteContent {
  query: string
  /** The bookmarks that match so far, best first. */
  matches: ShownBookmark[]
  /** Shown if nothing is typed: a few bookmarks opened last, and a few saved long ago. */
  opened: ShownBookmark[]
  past: ShownBookmark[]
  searches: { id: string; name: string; address: string }[]
  tags: TagCount[]
  organizations: { id: string; name: string; bookmarks: number }[]
  /** Places to go to, actions, and commands for the selection and for the list behind the palette. */
  commands: Record<'go' | 'do' | 'selection' | 'list', PaletteRow[]>
  go(path: string): void
  open(id: string): void
}

/** Maximum number of rows for each of saved searches, tags and organizations. */
const MAX_ROWS = 4

/**
 * Returns the palette's rows for a text, in the order in which they are shown. Commands come first if the name of one
 * starts with the text, otherwise after the bookmarks. The last row opens all matches as a list.
 */
export function paletteGroups(content: PaletteContent): PaletteGroup[] {
  const { matches, commands, go } = content
  const query = content.query.trim()
  const bookmarks = (all: ShownBookmark[]) => all.map((bookmark) => bookmarkRow(bookmark, content))
  const places = { label: t`Go to`, rows: matchCommands(commands.go, query) }
  const actions = { label: t`Do`, rows: matchCommands(commands.do, query) }
  const selection = { label: t`Selection`, rows: matchCommands(commands.selection, query) }
  const list = { label: t`This list`, rows: matchCommands(commands.list, query) }
  const opened = { label: t`Opened last`, rows: bookmarks(content.opened) }
  const past = { label: t`From your library`, rows: bookmarks(content.past) }
  if (query === '') return dropEmpty([selection, opened, places, actions, list, past])
  const groups = [
    { label: t`Bookmarks`, rows: bookmarks(matches) },
    { label: t`Saved searches`, rows: savedRows(content) },
    { label: t`Tags`, rows: tagRows(content) },
    { label: t`Organizations`, rows: organizationRows(content) }
  ]
  const [first, second] = someStart(commands.do, query) ? [actions, places] : [places, actions]
  const commandGroups = someStart(commands.list, query) ? [list, first, second] : [first, second, list]
  const isCommand = someStart(Object.values(commands).flat(), query)
  const ordered = isCommand ? [selection, ...commandGroups, ...groups] : [...groups, selection, first, second, list]
  const all = { name: t`Search all for “${query}”`, icon: IconSearch, run: () => go(searchAddress(query)) }
  return dropEmpty([...ordered, { label: t`Search`, rows: [all] }])
}

function dropEmpty(groups: PaletteGroup[]): PaletteGroup[] {
  return groups.filter(({ rows }) => rows.length > 0)
}

/** Returns the commands whose name matches, then those that match by other words. */
function matchCommands(all: PaletteRow[], query: string): PaletteRow[] {
  const named = matchNames(all, query)
  const text = query.toLowerCase()
  return [...named, ...all.filter((row) => !named.includes(row) && text.length > 1 && row.also?.includes(text))]
}

function someStart(commands: PaletteRow[], query: string): boolean {
  const text = query.toLowerCase()
  return commands.some(({ name }) => name.toLowerCase().startsWith(text))
}

function bookmarkRow({ id, title, url, domain, content }: ShownBookmark, { open }: PaletteContent): PaletteRow {
  return {
    id,
    name: addressInLetters(title || url || content.slice(0, 80)),
    beside: siteInLetters(domain ?? ''),
    icon: IconBookmark,
    run: () => open(id)
  }
}

function savedRows({ query, searches, go }: PaletteContent): PaletteRow[] {
  const matching = matchNames(searches, query).slice(0, MAX_ROWS)
  return matching.map(({ id, name, address }) => ({ id, name, icon: IconListSearch, run: () => go(address) }))
}

function tagRows({ query, tags, go }: PaletteContent): PaletteRow[] {
  const matching = matchTags(tags, query).slice(0, MAX_ROWS)
  return matching.map(({ name, bookmarks }) => ({
    name,
    beside: number(bookmarks),
    icon: IconTag,
    run: () => go(searchAddress(tagFilter(name)))
  }))
}

function organizationRows({ query, organizations, go }: PaletteContent): PaletteRow[] {
  const matching = matchNames(organizations, query).slice(0, MAX_ROWS)
  return matching.map(({ name, bookmarks }) => ({
    name,
    beside: number(bookmarks),
    icon: IconBuilding,
    run: () => go(searchAddress(writeFilter('organization', name)))
  }))
}
