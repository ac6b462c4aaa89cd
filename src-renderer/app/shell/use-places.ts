import { msg, t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { isState, STATES } from '../../../src-main/contract/tag-names.ts'
import { api, ask } from '../../api/client.ts'
import { pinName, usePins } from '../../api/mutations.ts'
import { openedOptions, organizationsOptions, searchesOptions, tagsOptions, tagTreeOptions } from '../../api/queries.ts'
import { isShown, viewOf } from '../../features/bookmarks/search/view.ts'
import { searchAddress, tagFilter, writeFilter } from '../../lib/filters.ts'
import { i18n } from '../../lib/locale.ts'
import { matchTags } from '../../lib/match-names.ts'
import { nodesIn, rowsOfTree, type TagNode } from '../../lib/tag-tree.ts'
import { IconArchive, IconBookmark, IconBuilding, IconHash, IconHistory, IconStar } from '../../ui/icons/icons.ts'
import { type Pin, pinnedId, useOpenTags } from './rail-links.tsx'

/** Maximum number of tags in the sidebar: the most used, or those that match. */
const MAX_TAGS = 24

const STATE_ICONS = { favorite: IconStar, unread: IconBookmark, archived: IconArchive }

const OPENED = { href: searchAddress('is:opened'), icon: IconHistory }

const highlightCountOptions = queryOptions({
  queryKey: ['counts', 'highlights'],
  queryFn: () => ask(api.highlights.$get({ query: { limit: '1' } }))
})

/**
 * The places of this library: what is pinned, saved searches, and links to states, organizations and tags.
 *
 * @param sought what the names of tags hold that are shown; empty for the most used
 */
export function usePlaces(sought: string) {
  const { pins, pinFor } = usePinButtons()
  const [path] = useLocation()
  const { data } = useQuery(tagsOptions)
  const known = data ?? []
  const states = useStates(known)
  const searches = (useQuery(searchesOptions).data ?? []).map((search) => {
    return { search, href: search.address, pin: pinFor(pinName.search(search.id)) }
  })
  const organizations = (useQuery(organizationsOptions).data ?? []).map(({ id, name, bookmarks: count }) => {
    const place = {
      href: searchAddress(writeFilter('organization', name)),
      icon: IconBuilding,
      label: name,
      count
    }
    return { ...place, accepts: { organization: id, name }, pin: pinFor(pinName.organization(id)) }
  })
  const tree = useQuery(tagTreeOptions).data ?? []
  const branches = nodesIn(tree)
  const tags = useShownTags(tree, sought.trim()).map((tag) => ({ ...tag, pin: pinFor(pinName.tag(tag.node.name)) }))
  const places = {
    pinned: pins.flatMap((pin) => {
      // A parent may be no tag itself; its branch counts all the same.
      const tag = branches.find(({ name }) => pinName.tag(name) === pin)
      if (tag && !isState(tag.name)) return { ...tagPlace(tag.name, tag.bookmarks), label: tag.name, pin: pinFor(pin) }
      return [...searches, ...organizations].find((one) => one.pin.name === pin) ?? []
    }),
    searches: searches.filter(({ pin }) => !pin.pinned),
    states,
    organizations: organizations.filter(({ pin }) => !pin.pinned),
    // One that tags are below stays where they are.
    tags: tags.filter(({ pin, open }) => !pin.pinned || open !== undefined || sought !== '')
  }
  // Several places may list the same: one of them is current, the first.
  const shown = useShown(Object.values(places).flat())
  const marked = <Place extends object>(some: Place[]) => some.map((one) => ({ ...one, current: one === shown }))
  return {
    pinned: marked(places.pinned),
    searches: marked(places.searches),
    states: marked(places.states),
    /** `undefined` if there are none, pinned or not. */
    organizations: organizations.length > 0 ? marked(places.organizations) : undefined,
    tags: marked(places.tags),
    tagCount: data?.length,
    highlightCount: useQuery(highlightCountOptions).data?.total ?? 0,
    place: (href: string) => ({ href, current: shown === undefined && href === path })
  }
}

interface Counted {
  name: string
  bookmarks: number
}

/** The states that bookmarks have, and what was opened lately, if anything was. */
function useStates(known: Counted[]) {
  const anyOpened = (useQuery(openedOptions).data?.total ?? 0) > 0
  const states = STATES.flatMap((state) => {
    const tag = known.find(({ name }) => name.toLowerCase() === state)
    return tag ? { ...tagPlace(state, tag.bookmarks), icon: STATE_ICONS[state], label: i18n._(STATE_LISTS[state]) } : []
  })
  return anyOpened ? [...states, { ...OPENED, label: t`Recently opened` }] : states
}

function useShownTags(tree: TagNode[], sought: string) {
  const opened = useOpenTags()
  const roots = tree.filter(({ name }) => !isState(name))
  const found = sought === '' ? [] : matchTags(nodesIn(roots), sought).slice(0, MAX_TAGS)
  const rows =
    sought === ''
      ? rowsOfTree(roots.slice(0, MAX_TAGS), opened.has)
      : found.map((node) => ({ ...node, label: node.name, depth: 0 }))
  return rows.map(({ depth, ...node }) => ({
    ...tagPlace(node.name, node.bookmarks),
    node,
    label: node.label,
    depth,
    open: sought === '' && node.below.length > 0 ? opened.has(node.name) : undefined,
    onToggle: () => opened.toggle(node.name)
  }))
}

function tagPlace(name: string, count: number) {
  return { href: searchAddress(tagFilter(name)), icon: IconHash, count, accepts: { tag: name } }
}

/** The first of these places that lists what is shown. */
function useShown<Place extends { href: string }>(places: Place[]): Place | undefined {
  const [path] = useLocation()
  const view = viewOf(path, useSearch())
  const organizations = useQuery(organizationsOptions).data ?? []
  if (!view) return undefined
  // Former addresses name an organization by its id.
  const text = organizations.reduce(
    (text, { id, name }) => text.replace(`organization:${id}`, writeFilter('organization', name)),
    view.text
  )
  return places.find(({ href }) => isShown(href, { text }))
}

/** The names that are pinned, and the pin button of each place. A place that was moved by its button keeps the focus. */
function usePinButtons() {
  const { pins, toggle } = usePins()
  const moved = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: that is when it was moved
  useEffect(() => {
    if (moved.current !== undefined) document.getElementById(pinnedId(moved.current))?.focus()
    moved.current = undefined
  }, [pins])
  return {
    pins,
    pinFor: (name: string): Pin => ({
      name,
      pinned: pins.includes(name),
      onToggle() {
        moved.current = name
        toggle(name)
      }
    })
  }
}

const STATE_LISTS = { favorite: msg`Favorites`, unread: msg`Unread`, archived: msg`Archive` }
