import { t } from '@lingui/core/macro'
import { ActionIcon, Box, Group, Input, ScrollArea, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { connectedOptions } from '../../api/events.ts'
import { countsOptions, type Status } from '../../api/queries.ts'
import type { TagMenuPlace } from '../../features/tags/tag-menu.tsx'
import { LiveDot } from '../../ui/facts.tsx'
import { Mark } from '../../ui/icons/icon.tsx'
import {
  IconBookmarks,
  IconBuilding,
  IconChevronRight,
  IconHighlight,
  IconKey,
  IconLayoutSidebarLeftCollapse,
  IconLogout,
  IconSettings,
  IconTag,
  IconTrash
} from '../../ui/icons/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { useLogOut } from '../session.tsx'
import classes from './rail.module.css'
import { RailLink, type RailLinkProps, RailSearch, RailTag } from './rail-links.tsx'
import { usePlaces } from './use-places.ts'

const TRASH = { trash: true } as const

/** The number of tags from which the rail has a field to find one. Fewer are all visible. */
const MIN_TAGS_TO_FIND = 9

const TagMenu = lazyWithPreload(() => import('../../features/tags/tag-menu.tsx').then((file) => file.TagMenu))

/** The sidebar: links to all places, with their numbers of bookmarks. */
export function Rail({ status, onHide }: { status: Status; onHide(): void }) {
  const counts = useQuery(countsOptions).data
  const [, go] = useLocation()
  const [tagQuery, setTagQuery] = useState('')
  const [menu, setMenu] = useState<TagMenuPlace>()
  const { pinned, searches, states, organizations, tags, tagCount, highlightCount, place } = usePlaces(tagQuery)
  return (
    <>
      <Group className={classes.head ?? ''} visibleFrom="sm" justify="space-between" m="1rem 0.75rem 0.75rem">
        <Link href="/" className={classes.name ?? ''}>
          <Mark size={24} />
          Earmark
        </Link>
        <Tooltip label={t`Hide the sidebar`}>
          <ActionIcon
            className={classes.hide ?? ''}
            variant="subtle"
            color="gray"
            aria-label={t`Hide the sidebar`}
            onClick={onHide}
          >
            <IconLayoutSidebarLeftCollapse size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <ScrollArea
        flex={1}
        mih={0}
        pt={{ base: '0.5rem', sm: 0 }}
        classNames={{ content: classes.content ?? '' }}
        type="hover"
        scrollbarSize={6}
      >
        <Box flex={1} px="0.75rem" pb="0.75rem">
          <RailLink {...place('/')} icon={IconBookmarks} label={t`All`} count={counts?.all} />
          {states.map((state) => (
            <RailLink key={state.href} {...state} />
          ))}
          {highlightCount > 0 && (
            <RailLink {...place('/highlights')} icon={IconHighlight} label={t`Highlights`} count={highlightCount} />
          )}
          <RailLink {...place('/trash')} icon={IconTrash} label={t`Trash`} count={counts?.trash} accepts={TRASH} />
          {pinned.length > 0 && (
            <RailGroup id="pinned" label={t`Pinned`}>
              {pinned.map((link) =>
                'search' in link ? (
                  <RailSearch key={link.pin.name} {...link} />
                ) : (
                  <li key={link.pin.name}>
                    <RailLink {...link} />
                  </li>
                )
              )}
            </RailGroup>
          )}
          {searches.length > 0 && (
            <RailGroup id="searches" label={t`Saved searches`}>
              {searches.map((search) => (
                <RailSearch key={search.pin.name} {...search} />
              ))}
            </RailGroup>
          )}
          {organizations !== undefined && (
            <RailGroup id="organizations" label={t`Organizations`}>
              <Items links={organizations} />
              <li>
                <RailLink {...place('/organizations')} icon={IconBuilding} label={t`All organizations`} />
              </li>
            </RailGroup>
          )}
          <RailGroup id="tags" label={t`Tags`}>
            {tagCount !== undefined && tagCount >= MIN_TAGS_TO_FIND && (
              <li>
                <Input
                  type="search"
                  size="xs"
                  mb={1}
                  placeholder={t`Find a tag`}
                  aria-label={t`Find a tag`}
                  value={tagQuery}
                  onChange={(event) => setTagQuery(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' && tagQuery && tags[0]) go(tags[0].href)
                    if (event.key === 'Escape') setTagQuery('')
                  }}
                />
              </li>
            )}
            {tags.map((tag) => (
              <RailTag key={tag.href} {...tag} onMenu={setMenu} />
            ))}
            {tagQuery && tags.length === 0 && (
              <Box component="li" px="0.6rem" py="0.4rem" c="dimmed" fz="sm">
                {t`No tag matches.`}
              </Box>
            )}
            <li>
              <RailLink {...place('/tags')} icon={IconTag} label={t`All tags`} count={tagCount} />
            </li>
          </RailGroup>
        </Box>
        <div className={classes.foot}>
          <h2 className={classes.heading}>{t`Profile`}</h2>
          <RailLink {...place('/profile/api-keys')} icon={IconKey} label={t`API Keys`} count={status.keys} />
          <RailLink {...place('/settings')} icon={IconSettings} label={t`Settings`} />
          <RailFoot status={status} />
        </div>
      </ScrollArea>
      {menu && (
        <Suspense>
          <TagMenu place={menu} onClose={() => setMenu(undefined)} />
        </Suspense>
      )}
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

/** The address and the state of the service, and a button that logs out. */
function RailFoot({ status }: { status: Status }) {
  const connected = useQuery(connectedOptions).data
  const logOut = useLogOut()
  return (
    <Group mt="0.35rem" ps="0.6rem" pe="0.1rem" justify="space-between" wrap="nowrap" gap="xs">
      <LiveDot live={connected} label={connected ? t`Connected` : t`Not connected`} />
      <Text size="xs" c="dimmed" truncate flex={1}>
        {new URL(status.url).host}
      </Text>
      <Tooltip label={t`Log out`}>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Log out`} onClick={logOut}>
          <IconLogout size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

interface RailGroupProps {
  /** Part of the storage key of whether the group is open, and of the id of its heading. */
  id: string
  label: string
  children: ReactNode
}

/** Places of one kind under a heading, which hides and shows them. */
function RailGroup({ id, label, children }: RailGroupProps) {
  const [open, setOpen] = useLocalStorage({
    key: `earmark-rail-${id}`,
    defaultValue: true,
    getInitialValueInEffect: false
  })
  const list = useId()
  return (
    <Box mt="0.9rem">
      <Box component="h2" className={classes.heading ?? ''} m="0 0 0.1rem">
        <UnstyledButton
          id={`rail-${id}`}
          className={classes.toggle ?? ''}
          display="flex"
          w="100%"
          px="0.6rem"
          py="0.3rem"
          bdrs="sm"
          style={{ gap: '0.25rem', alignItems: 'center', font: 'inherit' }}
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpen(!open)}
        >
          {label}
          <IconChevronRight size={13} className={`chevron ${classes.chevron}`} />
        </UnstyledButton>
      </Box>
      <ul id={list} className="plain" aria-label={label} hidden={!open}>
        {children}
      </ul>
    </Box>
  )
}
