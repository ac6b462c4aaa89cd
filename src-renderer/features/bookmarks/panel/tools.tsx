import { t } from '@lingui/core/macro'
import { ActionIcon, Button, Kbd, Menu, Tooltip } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask, type ShownBookmark } from '../../../api/client.ts'
import { queryClient } from '../../../api/events.ts'
import { notedOpening, useCheckLinks } from '../../../api/mutations.ts'
import { pageOptions } from '../../../api/queries.ts'
import { hasState, openable, STATE_KEYS, stateLabel, titleOf } from '../../../lib/labels.ts'
import { addressOf } from '../../../lib/opened.ts'
import { copyText } from '../../../ui/copy.ts'
import {
  IconDots,
  IconExternalLink,
  IconLink,
  IconLinkOff,
  IconRefresh,
  IconStar,
  IconTrash
} from '../../../ui/icons/icons.ts'
import type { Changes } from '../use-changes.ts'
import classes from './panel.module.css'

interface ToolsProps {
  bookmark: ShownBookmark
  changes: Changes
  /** Called after the bookmark was deleted. */
  onRemoved(): void
}

/** The favorite button and the menu of a bookmark. */
export function Tools({ bookmark, changes, onRemoved }: ToolsProps) {
  return (
    <>
      {bookmark.deletedAt === null && (
        <Tooltip label={stateLabel(bookmark, 'favorite')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.star ?? ''}
            aria-label={t`Favorite`}
            aria-pressed={hasState(bookmark, 'favorite')}
            onClick={() => changes.toggleState({ ids: [bookmark.id] }, 'favorite')}
          >
            <IconStar size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
      <PanelMenu bookmark={bookmark} changes={changes} onRemoved={onRemoved} />
    </>
  )
}

/** Whether a bookmark has a page, whose details are fetched. */
export const hasPage = ({ type }: ShownBookmark): boolean => type === 'link' || type === 'image'

const MENU_STATES = ['unread', 'archived'] as const

const ICON = { size: 16, stroke: 1.6 }

/** Less frequent actions for a bookmark. */
function PanelMenu({ bookmark, changes, onRemoved }: ToolsProps) {
  const { id, deletedAt } = bookmark
  async function remove() {
    if (await changes.remove({ ids: [id] }, 1, titleOf(bookmark))) onRemoved()
  }
  return (
    <Menu position="bottom-end" shadow="md" width={230}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t`More`}>
          <IconDots size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink {...ICON} />} onClick={() => copyText(addressOf(id))}>
          {t`Copy a link to this bookmark`}
        </Menu.Item>
        {deletedAt === null && hasPage(bookmark) && <PageItems id={id} />}
        {deletedAt === null && (
          <>
            <Menu.Divider />
            {MENU_STATES.map((state) => (
              <Menu.Item
                key={state}
                rightSection={<Kbd size="xs">{STATE_KEYS[state]}</Kbd>}
                onClick={() => changes.toggleState({ ids: [id] }, state)}
              >
                {stateLabel(bookmark, state)}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Item leftSection={<IconTrash {...ICON} />} rightSection={<Kbd size="xs">Del</Kbd>} onClick={remove}>
              {t`Delete`}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function PageItems({ id }: { id: string }) {
  const { data: page } = useQuery(pageOptions(id))
  const again = useMutation({
    mutationFn: () => ask(api.bookmarks[':id'].page.$post({ param: { id } })),
    onSuccess: (page) => queryClient.setQueryData(pageOptions(id).queryKey, page)
  })
  const check = useCheckLinks()
  if (!page || page.status === 'none') return null
  const off = page.status === 'off'
  return (
    <>
      <Menu.Item
        leftSection={<IconRefresh {...ICON} />}
        disabled={off || (page.status === 'pending' && page.fault === null)}
        onClick={() => again.mutate()}
      >
        {t`Fetch again`}
      </Menu.Item>
      <Menu.Item leftSection={<IconLinkOff {...ICON} />} disabled={off} onClick={() => check.mutate({ ids: [id] })}>
        {t`Check link`}
      </Menu.Item>
    </>
  )
}

interface OpenProps {
  bookmark: Pick<ShownBookmark, 'id' | 'url'>
}

/** Returns the props of a link to a bookmark's page in a new tab; `undefined` if its address cannot be opened. */
function linkTo({ id, url }: OpenProps['bookmark']) {
  const href = openable(url)
  return href && { component: 'a' as const, href, target: '_blank', rel: 'noreferrer', ...notedOpening(id) }
}

/** A button that opens a bookmark's page in a new tab. It is missing if the address cannot be opened. */
export function OpenButton({ bookmark, label = t`Open` }: OpenProps & { label?: string }) {
  const link = linkTo(bookmark)
  return (
    link && (
      <Button {...link} size="compact-sm" variant="light" leftSection={<IconExternalLink size={15} />}>
        {label}
      </Button>
    )
  )
}

/** The same button with only an icon. */
export function OpenPage({ bookmark }: OpenProps) {
  const link = linkTo(bookmark)
  return (
    link && (
      <Tooltip label={t`Open in a new tab`}>
        <ActionIcon {...link} variant="subtle" color="gray" aria-label={t`Open in a new tab`}>
          <IconExternalLink size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    )
  )
}
