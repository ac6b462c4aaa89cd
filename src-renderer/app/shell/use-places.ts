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
import { nodesIn, rowsOfTree, type TagCount, type TagNode } from '../../lib/tag-tree.ts'
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
 * The places of this library: pinned places, saved searches, and links to states, organizations and tags.
 *
 * @param tagQuery a text that shown tags match; if it is empty, the most used tags are shown
 */
export function usePlaces(tagQuery: string) {
  const { pins, pinFor } = usePinButtons()
  const [path] = useLocation()
  const { data } = useQuery(tagsOptions)
  const states = useStates(data ?? [])
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
  const tags = useShownTags(tree, tagQuery.trim()).map((tag) => ({ ...tag, pin: pinFor(pinName.tag(tag.node.name)) }))
  const places = {
    pinned: pins.flatMap((pin) => {
      // A parent can be pinned even if it is not a tag itself.
      const tag = branches.find(({ name }) => pinName.tag(name) === pin)
      if (tag && !isState(tag.name)) return { ...tagPlace(tag.name, tag.bookmarks), label: tag.name, pin: pinFor(pin) }
      return [...searches, ...organizations].find((place) => place.pin.name === pin) ?? []
    }),
    searches: searches.filter(({ pin }) => !pin.pinned),
    states,
    organizations: organizations.filter(({ pin }) => !pin.pinned),
    // A pinned tag also stays in the tree if tags are below it.
    tags: tags.filter(({ pin, open }) => !pin.pinned || open !== undefined || tagQuery !== '')
  }
  const current = useCurrent(Object.values(places).flat())
  const markCurrent = <Place extends object>(all: Place[]) =>
    all.map((place) => ({ ...place, current: place === current }))
  return {
    pinned: markCurrent(places.pinned),
    searches: markCurrent(places.searches),
    states: markCurrent(places.states),
    /** `undefined` if there are none, pinned or not. */
    organizations: organizations.length > 0 ? markCurrent(places.organizations) : undefined,
    tags: markCurrent(places.tags),
    tagCount: data?.length,
    highlightCount: useQuery(highlightCountOptions).data?.total ?? 0,
    place: (href: string) => ({ href, current: current === undefined && href === path })
  }
}

/** The states that bookmarks have, and Recently opened if there are such bookmarks. */
function useStates(tags: TagCount[]) {
  const anyOpened = (useQuery(openedOptions).data?.total ?? 0) > 0
  const states = STATES.flatMap((state) => {
    const tag = tags.find(({ name }) => name.toLowerCase() === state)
    return tag ? { ...tagPlace(state, tag.bookmarks), icon: STATE_ICONS[state], label: i18n._(STATE_LISTS[state]) } : []
  })
  return anyOpened ? [...states, { ...OPENED, label: t`Recently opened` }] : states
}

function useShownTags(tree: TagNode[], tagQuery: string) {
  const opened = useOpenTags()
  const roots = tree.filter(({ name }) => !isState(name))
  const matches = tagQuery === '' ? [] : matchTags(nodesIn(roots), tagQuery).slice(0, MAX_TAGS)
  const rows =
    tagQuery === ''
      ? rowsOfTree(roots.slice(0, MAX_TAGS), opened.has)
      : matches.map((node) => ({ ...node, label: node.name, depth: 0 }))
  return rows.map(({ depth, ...node }) => ({
    ...tagPlace(node.name, node.bookmarks),
    node,
    label: node.label,
    depth,
    open: tagQuery === '' && node.below.length > 0 ? opened.has(node.name) : undefined,
    onToggle: () => opened.toggle(node.name)
  }))
}

function tagPlace(name: string, count: number) {
  return { href: searchAddress(tagFilter(name)), icon: IconHash, count, accepts: { tag: name } }
}

/** Returns the first place that has the list which the window shows. Others with the same list are not current. */
function useCurrent<Place extends { href: string }>(places: Place[]): Place | undefined {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place moves when the pins change
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
