import { t } from '@lingui/core/macro'
import type { ShownBookmark } from '../../api/client.ts'
import { searchAddress, tagFilter, writeFilter } from '../../lib/filters.ts'
import { keyTo } from '../../lib/keyboard.ts'
import { addressInLetters, siteInLetters } from '../../lib/labels.ts'
import { number } from '../../lib/locale.ts'
import { matchNames } from '../../lib/match-names.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
import {
  IconArchive,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsExchange,
  IconBookmarks,
  IconBuilding,
  IconClipboardText,
  IconCopy,
  IconDeviceDesktop,
  IconFileImport,
  IconHistory,
  IconKey,
  IconKeyboard,
  IconLink,
  IconLinkOff,
  IconLogout,
  IconMoon,
  IconPalette,
  IconPhoto,
  IconPlus,
  IconRefresh,
  IconRestore,
  IconSettings,
  IconSun,
  IconTag,
  IconTextCaption,
  IconTrash,
  IconWand
} from '../../ui/icons/icons.ts'

/** A line of the palette that does something. */
export interface PaletteRow {
  key: string
  label: string
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
  commands: Commands
  /** Commands for the bookmarks selected in the list behind it, and for that list. */
  selection: Command[]
  list: Command[]
  /** The icons of a bookmark, a saved search, a tag, an organization and the search for all. */
  icons: Record<'bookmark' | 'saved' | 'tag' | 'organization' | 'search', Icon>
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
  const { query, found, commands } = content
  const places = { label: t`Go to`, rows: matchWords(commands.go, query).map(rowOf) }
  const actions = { label: t`Do`, rows: matchWords(commands.do, query).map(rowOf) }
  const selection = { label: t`Selection`, rows: matchWords(content.selection, query).map(rowOf) }
  const list = { label: t`This list`, rows: matchWords(content.list, query).map(rowOf) }
  const opened = { label: t`Opened last`, rows: content.opened.map((one) => bookmarkRow(one, content)) }
  const past = { label: t`From your library`, rows: content.past.map((one) => bookmarkRow(one, content)) }
  if (query.trim() === '') return shown([selection, opened, places, actions, list, past])
  const groups = [
    { label: t`Bookmarks`, rows: found.map((one) => bookmarkRow(one, content)) },
    { label: t`Saved searches`, rows: savedRows(content) },
    { label: t`Tags`, rows: tagRows(content) },
    { label: t`Organizations`, rows: organizationRows(content) }
  ]
  const [first, second] = startsOne(commands.do, query) ? [actions, places] : [places, actions]
  const meant = startsOne([...content.selection, ...content.list, ...commands.go, ...commands.do], query)
  const meantFirst = startsOne(content.list, query) ? [list, first, second] : [first, second, list]
  const ordered = meant ? [selection, ...meantFirst, ...groups] : [...groups, selection, first, second, list]
  return shown([...ordered, { label: t`Search`, rows: [searchRow(content)] }])
}

function shown(groups: PaletteGroup[]): PaletteGroup[] {
  return groups.filter(({ rows }) => rows.length > 0)
}

/** Returns those whose name starts with the query, then those that hold all of its words, wherever. */
function matchWords<Named extends { name: string; also?: string | undefined }>(all: Named[], query: string): Named[] {
  const holdsAll = (name: string, words: string) => words.split(/\s+/).every((word) => name.includes(word))
  const named = matchNames(all, query.trim(), holdsAll)
  const text = query.trim().toLowerCase()
  return [...named, ...all.filter((one) => !named.includes(one) && text.length > 2 && one.also?.includes(text))]
}

function startsOne(commands: Command[], query: string): boolean {
  const text = query.trim().toLowerCase()
  return commands.some(({ name }) => name.toLowerCase().startsWith(text))
}

function rowOf({ name, keys, icon, run }: Command): PaletteRow {
  return { key: `command ${name}`, label: name, keys, icon, run }
}

function bookmarkRow({ id, title, url, domain, content }: ShownBookmark, { icons, open }: PaletteContent): PaletteRow {
  return {
    key: `bookmark ${id}`,
    label: addressInLetters(title || url || content.slice(0, 80)),
    beside: siteInLetters(domain ?? ''),
    icon: icons.bookmark,
    run: () => open(id)
  }
}

function savedRows({ query, searches, icons, go }: PaletteContent): PaletteRow[] {
  return matchWords(searches, query)
    .slice(0, MAX_OFFERED)
    .map(({ id, name, address }) => ({
      key: `saved ${id}`,
      label: name,
      icon: icons.saved,
      run: () => go(address)
    }))
}

function tagRows({ query, tags, icons, go }: PaletteContent): PaletteRow[] {
  return matchWords(tags, query)
    .slice(0, MAX_OFFERED)
    .map(({ name, bookmarks }) => ({
      key: `tag ${name}`,
      label: name,
      beside: number(bookmarks),
      icon: icons.tag,
      run: () => go(searchAddress(tagFilter(name)))
    }))
}

function organizationRows({ query, organizations, icons, go }: PaletteContent): PaletteRow[] {
  return matchWords(organizations, query)
    .slice(0, MAX_OFFERED)
    .map(({ id, name, bookmarks }) => ({
      key: `organization ${id}`,
      label: name,
      beside: number(bookmarks),
      icon: icons.organization,
      run: () => go(searchAddress(writeFilter('organization', name)))
    }))
}

function searchRow({ query, icons, go }: PaletteContent): PaletteRow {
  const words = query.trim()
  return {
    key: 'search',
    label: t`Search all for “${words}”`,
    icon: icons.search,
    run: () => go(searchAddress(words))
  }
}

interface Command {
  name: string
  icon: Icon
  /** Other words by which it is found. */
  also?: string | undefined
  /** The keys that do the same, as `shortcuts` shows them. */
  keys?: string[] | undefined
  run(): void
}

export type Commands = Record<'go' | 'do', Command[]>

interface Can {
  go(path: string): void
  add(): void
  import(): void
  /** Makes a rule, of the search that is shown if there is one. */
  rule: { ofSearch: boolean; make(): void }
  checkLinks(): void
  undo(): void
  redo(): void
  shortcuts(): void
  copyReport(): void
  backUp(): void
  logOut(): void
  theme(theme: 'light' | 'dark' | 'system'): void
}

/** Returns the palette's commands. */
export function commandsFor(can: Can): Commands {
  const { go, add, import: bringIn, rule, checkLinks, undo, redo, shortcuts, copyReport, backUp, logOut, theme } = can
  const place = (name: string, icon: Icon, path: string) => {
    const key = keyTo(path)
    return { name, icon, keys: key === undefined ? undefined : ['G', key], run: () => go(path) }
  }
  return {
    go: [
      place(t`All`, IconBookmarks, '/'),
      place(t`Links`, IconLink, '/?q=type:link'),
      place(t`Images`, IconPhoto, '/?q=type:image'),
      place(t`Colors`, IconPalette, '/?q=type:color'),
      place(t`Texts`, IconTextCaption, '/?q=type:text'),
      place(t`Recently opened`, IconHistory, '/?q=is:opened'),
      place(t`Tags`, IconTag, '/tags'),
      place(t`Organizations`, IconBuilding, '/organizations'),
      place(t`Trash`, IconTrash, '/trash'),
      place(t`Broken links`, IconLinkOff, '/?q=is:broken'),
      place(t`Moved pages`, IconArrowsExchange, '/?q=is:moved'),
      place(t`API Keys`, IconKey, '/profile/api-keys'),
      place(t`Settings`, IconSettings, '/settings'),
      { ...place(t`Sync`, IconRefresh, '/settings?part=machines'), also: t`several machines` },
      { ...place(t`Backups and restore`, IconRestore, '/settings?part=import'), also: t`backup` },
      place(t`Rules`, IconWand, '/settings?part=rules')
    ],
    do: [
      { name: t`Add a bookmark`, icon: IconPlus, keys: ['N'], run: add },
      { name: t`Import bookmarks`, icon: IconFileImport, run: bringIn },
      { name: rule.ofSearch ? t`Make a rule from this search` : t`New rule`, icon: IconWand, run: rule.make },
      { name: t`Find duplicates`, icon: IconCopy, run: () => go('/duplicates') },
      { name: t`Check links`, icon: IconLinkOff, run: checkLinks },
      { name: t`Undo the last change`, icon: IconArrowBackUp, keys: ['Mod', 'Z'], run: undo },
      { name: t`Redo`, icon: IconArrowForwardUp, keys: ['Mod', 'Shift', 'Z'], run: redo },
      { name: t`Show keyboard shortcuts`, icon: IconKeyboard, keys: ['?'], run: shortcuts },
      { name: t`Copy report`, icon: IconClipboardText, run: copyReport },
      { name: t`Back up now`, also: t`backup`, icon: IconArchive, run: backUp },
      { name: t`Log out`, icon: IconLogout, run: logOut },
      { name: t`Light theme`, icon: IconSun, run: () => theme('light') },
      { name: t`Dark theme`, icon: IconMoon, run: () => theme('dark') },
      { name: t`System theme`, icon: IconDeviceDesktop, run: () => theme('system') }
    ]
  }
}
