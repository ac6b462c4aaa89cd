import { ActionIcon, ScrollArea, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCounts } from '../../shared/bookmark-data.ts'
import type { Status } from '../../shared/status.ts'
import { common } from '../../strings/common.ts'
import { searches as searchStrings } from '../../strings/searches.ts'
import { shell } from '../../strings/shell.ts'
import {
  IconBookmarks,
  IconBuilding,
  IconKey,
  IconLayoutSidebarLeftCollapse,
  IconLink,
  IconPalette,
  IconPhoto,
  IconSettings,
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
import { RailTag } from './rail-tag.tsx'
import { MAX_TAGS, usePlaces } from './use-places.ts'

const TRASH = { trash: true } as const

/** Where one can go, and how much is there. */
export function Rail({ status, onHide }: { status: Status; onHide(): void }) {
  const counts = useCounts().data
  const [, go] = useLocation()
  const [sought, setSought] = useState('')
  const { pinned, searches, states, organizations, tags, tagCount, place } = usePlaces(sought)
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
          {pinned.length > 0 && (
            <RailGroup id="pinned" label={shell.pinned}>
              {pinned.map((one) =>
                'search' in one ? (
                  <RailSearch key={one.pin.name} {...one} />
                ) : (
                  <li key={one.pin.name}>
                    <RailLink {...one} />
                  </li>
                )
              )}
            </RailGroup>
          )}
          {searches.length > 0 && (
            <RailGroup id="searches" label={searchStrings.title}>
              {searches.map((search) => (
                <RailSearch key={search.pin.name} {...search} />
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
            {tagCount !== undefined && tagCount > MAX_TAGS && (
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
