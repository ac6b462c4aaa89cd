import { t } from '@lingui/core/macro'
import type { ShownBookmark } from '../../api/client.ts'
import { searchAddress, tagFilter, writeFilter } from '../../lib/filters.ts'
import { addressInLetters, siteInLetters } from '../../lib/labels.ts'
import { number } from '../../lib/locale.ts'
import { matchNames, matchTags } from '../../lib/match-names.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
import { IconBookmark, IconBuilding, IconListSearch, IconSearch, IconTag } from '../../ui/icons/icons.ts'

/** A line of the palette that does something. */
export interface PaletteRow {
  /** Tells it from others of its name. */
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

interface Named {
  name: string
  bookmarks: number
}

export interface PaletteContent {
  query: string
  /** The bookmarks that match so far, best first. */
  found: ShownBookmark[]
  /** For where nothing is typed: the few opened last, and a few saved long ago. */
  opened: ShownBookmark[]
  past: ShownBookmark[]
  searches: { id: string; name: string; address: string }[]
  tags: Named[]
  organizations: (Named & { id: string })[]
  /** Commands: places, actions, those for the bookmarks selected in the list behind it, and those for that list. */
  commands: Record<'go' | 'do' | 'selection' | 'list', PaletteRow[]>
  go(path: string): void
  open(id: string): void
}

/** Maximum number each of saved searches, tags and organizations that are offered. */
const MAX_OFFERED = 4

/**
 * Returns the palette's rows for a text, in the order they are shown. Commands come first if the name of one starts
 * with the text, after the bookmarks otherwise; everything else that matches is one line away, the last.
 */
export function paletteGroups(content: PaletteContent): PaletteGroup[] {
  const { found, commands, go } = content
  const query = content.query.trim()
  const bookmarks = (all: ShownBookmark[]) => all.map((bookmark) => bookmarkRow(bookmark, content))
  const places = { label: t`Go to`, rows: matchCommands(commands.go, query) }
  const actions = { label: t`Do`, rows: matchCommands(commands.do, query) }
  const selection = { label: t`Selection`, rows: matchCommands(commands.selection, query) }
  const list = { label: t`This list`, rows: matchCommands(commands.list, query) }
  const opened = { label: t`Opened last`, rows: bookmarks(content.opened) }
  const past = { label: t`From your library`, rows: bookmarks(content.past) }
  if (query === '') return shown([selection, opened, places, actions, list, past])
  const groups = [
    { label: t`Bookmarks`, rows: bookmarks(found) },
    { label: t`Saved searches`, rows: savedRows(content) },
    { label: t`Tags`, rows: tagRows(content) },
    { label: t`Organizations`, rows: organizationRows(content) }
  ]
  const [first, second] = startsOne(commands.do, query) ? [actions, places] : [places, actions]
  const commandGroups = startsOne(commands.list, query) ? [list, first, second] : [first, second, list]
  const meant = startsOne(Object.values(commands).flat(), query)
  const ordered = meant ? [selection, ...commandGroups, ...groups] : [...groups, selection, first, second, list]
  const all = { name: t`Search all for “${query}”`, icon: IconSearch, run: () => go(searchAddress(query)) }
  return shown([...ordered, { label: t`Search`, rows: [all] }])
}

function shown(groups: PaletteGroup[]): PaletteGroup[] {
  return groups.filter(({ rows }) => rows.length > 0)
}

/** Returns those whose name matches, then those that are found by other words. */
function matchCommands(all: PaletteRow[], query: string): PaletteRow[] {
  const named = matchNames(all, query)
  const text = query.toLowerCase()
  return [...named, ...all.filter((row) => !named.includes(row) && text.length > 1 && row.also?.includes(text))]
}

function startsOne(commands: PaletteRow[], query: string): boolean {
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
  const matching = matchNames(searches, query).slice(0, MAX_OFFERED)
  return matching.map(({ id, name, address }) => ({ id, name, icon: IconListSearch, run: () => go(address) }))
}

function tagRows({ query, tags, go }: PaletteContent): PaletteRow[] {
  const matching = matchTags(tags, query).slice(0, MAX_OFFERED)
  return matching.map(({ name, bookmarks }) => ({
    name,
    beside: number(bookmarks),
    icon: IconTag,
    run: () => go(searchAddress(tagFilter(name)))
  }))
}

function organizationRows({ query, organizations, go }: PaletteContent): PaletteRow[] {
  const matching = matchNames(organizations, query).slice(0, MAX_OFFERED)
  return matching.map(({ name, bookmarks }) => ({
    name,
    beside: number(bookmarks),
    icon: IconBuilding,
    run: () => go(searchAddress(writeFilter('organization', name)))
  }))
}
