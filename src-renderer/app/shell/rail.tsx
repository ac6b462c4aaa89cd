import { ActionIcon, ScrollArea, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { askFor } from '../../../src-main/contract/nested-tag.ts'
import { isState, STATES } from '../../../src-main/contract/state-tags.ts'
import { ALL, isShown, viewAddress, viewOf } from '../../features/bookmarks/search/view.ts'
import { useCounts, useOpenedLately, useOrganizations, useTags, useTagTree } from '../../shared/bookmark-data.ts'
import { matchNames } from '../../shared/match-names.ts'
import { useSavedSearches } from '../../shared/saved-searches.ts'
import type { Status } from '../../shared/status.ts'
import { flatRow, rowsOfTree } from '../../shared/tag-tree.ts'
import { bookmarks } from '../../strings/bookmarks.ts'
import { common } from '../../strings/common.ts'
import { searches as searchStrings } from '../../strings/searches.ts'
import { shell } from '../../strings/shell.ts'
import {
  IconArchive,
  IconBookmark,
  IconBookmarks,
  IconBuilding,
  IconHash,
  IconHistory,
  IconKey,
  IconLayoutSidebarLeftCollapse,
  IconLink,
  IconPalette,
  IconPhoto,
  IconSettings,
  IconStar,
  IconTag,
  IconTextCaption,
  IconTrash
} from '../../ui/icons/icons.ts'
import { Mark } from '../../ui/mark.tsx'
import classes from './rail.module.css'
import { RailFoot } from './rail-foot.tsx'
import { RailGroup } from './rail-group.tsx'
import { RailLink, type RailLinkProps } from './rail-link.tsx'
import { RailSearch } from './rail-search.tsx'
import { RailTag, useOpenTags } from './rail-tag.tsx'

/** Tags shown of all, the most used; and of those that are looked for. */
const MOST_TAGS = 8
const MOST_FOUND = 20

const STATE_ICONS = { favorite: IconStar, unread: IconBookmark, archived: IconArchive }

const OPENED = viewAddress({ ...ALL, opened: true })

const TRASH = { trash: true } as const

/** Where one can go, and how much is there. */
export function Rail({ status, onHide }: { status: Status; onHide(): void }) {
  const counts = useCounts().data
  const [, go] = useLocation()
  const [sought, setSought] = useState('')
  const { searches, states, organizations, tags, tagCount, current, place } = usePlaces(sought)
  return (
    <>
      <div className={classes.head}>
        <Link href="/" className={classes.name ?? ''}>
          <Mark size={24} />
          {common.name}
        </Link>
        <Tooltip label={shell.hideRail}>
          <ActionIcon
            className={classes.hide ?? ''}
            variant="subtle"
            color="gray"
            aria-label={shell.hideRail}
            onClick={onHide}
          >
            <IconLayoutSidebarLeftCollapse size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </div>
      <ScrollArea
        className={classes.scroll ?? ''}
        classNames={{ content: classes.content ?? '' }}
        type="hover"
        scrollbarSize={6}
      >
        <div className={classes.links}>
          <RailLink {...place('/')} icon={IconBookmarks} label={shell.all} count={counts?.all} />
          <RailLink {...place('/links')} icon={IconLink} label={shell.links} count={counts?.link} />
          <RailLink {...place('/images')} icon={IconPhoto} label={shell.images} count={counts?.image} />
          <RailLink {...place('/colors')} icon={IconPalette} label={shell.colors} count={counts?.color} />
          <RailLink {...place('/texts')} icon={IconTextCaption} label={shell.texts} count={counts?.text} />
          {states.map((state) => (
            <RailLink key={state.href} {...state} />
          ))}
          <RailLink {...place('/trash')} icon={IconTrash} label={shell.trash} count={counts?.trash} accepts={TRASH} />
          {searches.length > 0 && (
            <RailGroup id="searches" label={searchStrings.title}>
              {searches.map((search) => (
                <RailSearch key={search.id} search={search} current={current === search.address} />
              ))}
            </RailGroup>
          )}
          <RailGroup id="organizations" label={shell.organizations}>
            <Items links={organizations} />
            <li>
              <RailLink {...place('/organizations')} icon={IconBuilding} label={shell.allOrganizations} />
            </li>
          </RailGroup>
          <RailGroup id="tags" label={shell.tags}>
            {tagCount !== undefined && tagCount > MOST_TAGS && (
              <li>
                <input
                  type="search"
                  className={classes.find}
                  placeholder={shell.findTag}
                  aria-label={shell.findTag}
                  value={sought}
                  onChange={(event) => setSought(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' && sought && tags[0]) go(tags[0].href)
                    if (event.key === 'Escape') setSought('')
                  }}
                />
              </li>
            )}
            {tags.map((tag) => (
              <li key={tag.href}>
                <RailTag {...tag} />
              </li>
            ))}
            {sought && tags.length === 0 && <li className={classes.none}>{shell.noTag}</li>}
            <li>
              <RailLink {...place('/tags')} icon={IconTag} label={shell.allTags} count={tagCount} />
            </li>
          </RailGroup>
        </div>
        <div className={classes.foot}>
          <h2 className={classes.heading}>{shell.profile}</h2>
          <RailLink {...place('/profile/api-keys')} icon={IconKey} label={shell.keys} count={status.keys} />
          <RailLink {...place('/settings')} icon={IconSettings} label={shell.settings} />
          <RailFoot status={status} />
        </div>
      </ScrollArea>
    </>
  )
}

function Items({ links }: { links: RailLinkProps[] }) {
  return links.map((link) => (
    <li key={link.href}>
      <RailLink {...link} />
    </li>
  ))
}

/**
 * The places of this library: its saved searches, and links to states, organizations and tags.
 *
 * @param sought what the names of tags hold that are shown; empty for the most used
 */
function usePlaces(sought: string) {
  const known = useTags().data
  const roots = (useTagTree().data ?? []).filter(({ name }) => !isState(name))
  const openTags = useOpenTags()
  const searches = useSavedSearches().data ?? []
  const states = STATES.flatMap((state) => {
    const tag = known?.find(({ name }) => name.toLowerCase() === state)
    const looks = { icon: STATE_ICONS[state], label: shell.states[state] }
    return tag ? [{ ...tagPlace(state, tag.bookmarks), ...looks }] : []
  })
  const anyOpened = (useOpenedLately().data?.total ?? 0) > 0
  const opened = anyOpened ? [{ href: OPENED, icon: IconHistory, label: bookmarks.opened }] : []
  const organizations = (useOrganizations().data ?? []).map(({ id, name, bookmarks }) => {
    const href = viewAddress({ ...ALL, organization: id })
    return { href, icon: IconBuilding, label: name, count: bookmarks, accepts: { organization: id, name } }
  })
  const named = (known ?? []).filter(({ name }) => !isState(name))
  const found = matchNames(named, sought.trim()).slice(0, MOST_FOUND)
  const rows = sought.trim() === '' ? rowsOfTree(roots.slice(0, MOST_TAGS), openTags.has) : found.map(flatRow)
  const tags = rows.map(({ name, label, bookmarks, depth, below }) => ({
    ...tagPlace(name, bookmarks),
    icon: IconHash,
    label,
    depth,
    open: below.length > 0 ? openTags.has(name) : undefined,
    onToggle: () => openTags.toggle(name)
  }))
  // Two places may list the same: one of them is current, the first.
  const current = useCurrent([
    ...searches.map(({ address }) => address),
    ...[...states, ...opened, ...organizations, ...tags].map(({ href }) => href)
  ])
  const isSaved = (href: string) => searches.some(({ address }) => address === href)
  const place = (href: string) => ({ href, current: current === href && !isSaved(href) })
  const marked = <Link extends Omit<RailLinkProps, 'current'>>(links: Link[]) =>
    links.map((link) => ({ ...link, ...place(link.href) }))
  return {
    searches,
    states: marked([...states, ...opened]),
    organizations: marked(organizations),
    tags: marked(tags),
    tagCount: known?.length,
    current,
    place
  }
}

function tagPlace(name: string, count: number) {
  return { href: viewAddress({ ...ALL, tags: [askFor(name)] }), count, accepts: { tag: name } }
}

/** The place that is shown: the one of these that lists the same bookmarks, or else the page. */
function useCurrent(lists: string[]): string {
  const [path] = useLocation()
  const view = viewOf(path, useSearch())
  return lists.find((address) => view && isShown(address, view)) ?? path
}
