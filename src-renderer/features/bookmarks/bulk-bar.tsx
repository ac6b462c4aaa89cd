import { t } from '@lingui/core/macro'
import { Button, type ButtonProps, CloseButton, Group, Menu, Popover, Text } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, Suspense, useEffect } from 'react'
import { STATES, type State } from '../../../src-main/contract/tag-names.ts'
import { api, ask } from '../../api/client.ts'
import { noteOpenings, useCheckLinks, useSaveExport } from '../../api/mutations.ts'
import { organizationsOptions } from '../../api/queries.ts'
import { host } from '../../lib/host.ts'
import { STATE_KEYS } from '../../lib/labels.ts'
import { number } from '../../lib/locale.ts'
import { confirm } from '../../shared/dialogs.ts'
import { offerCommands } from '../../shared/list-offers.ts'
import { useNewOrganization } from '../../shared/new-organization.ts'
import type { Icon as IconComponent } from '../../ui/icons/icon.tsx'
import {
  IconArrowRight,
  IconDots,
  IconDownload,
  IconExternalLink,
  IconFolderSymlink,
  IconLinkOff,
  IconRestore,
  IconTag,
  IconTrash
} from '../../ui/icons/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { notify, notifyError } from '../../ui/notify.tsx'
import type { Chosen } from './list/selection.ts'
import type { List } from './list/use-list.ts'
import { TagPicker } from './tags-field.tsx'
import type { Changes } from './use-changes.ts'
import { copyAddresses } from './use-list-actions.ts'

interface BulkBarProps {
  list: List
  changes: Changes
}

/** The actions for the selected bookmarks. */
export function BulkBar({ list, changes, moved }: BulkBarProps & { moved: boolean }) {
  const { selected, deselect, setMenu } = list
  const { chosen } = selected
  useEffect(() => () => setMenu(undefined), [setMenu])
  const remove = async () => (await changes.remove(chosen, selected.size)) && deselect(chosen)
  useCommands(list, changes, remove)
  return (
    <Bar list={list}>
      {moved && (
        <Tool
          icon={IconArrowRight}
          variant="light"
          onClick={async () => (await changes.follow(chosen)) && deselect(chosen)}
        >
          {t`Use new addresses`}
        </Tool>
      )}
      <BulkTags list={list} changes={changes} />
      <BulkMove list={list} changes={changes} />
      <BulkMore list={list} />
      <Tool icon={IconTrash} onClick={remove}>{t`Delete`}</Tool>
    </Bar>
  )
}

/** The actions for the selected bookmarks of the trash. */
export function TrashBulkBar({ list, changes }: BulkBarProps) {
  const { selected, deselect } = list
  const { chosen } = selected
  return (
    <Bar list={list}>
      <Tool icon={IconRestore} onClick={async () => (await changes.restore(chosen)) && deselect(chosen)}>
        {t`Restore`}
      </Tool>
      <Tool icon={IconTrash} onClick={async () => (await changes.purge(chosen, selected.size)) && deselect(chosen)}>
        {t`Delete permanently`}
      </Tool>
    </Bar>
  )
}

function Bar({ list, children }: { list: List; children: React.ReactNode }) {
  const { selected, pages } = list
  const total = pages.first?.atLeast ? undefined : pages.first?.total
  const isAll = selected.isAll || (total !== undefined && selected.size >= total)
  return (
    <Group gap="xs" py={6} mih={44} role="toolbar" aria-label={t`${number(selected.size)} selected`}>
      <CloseButton size="sm" aria-label={t`Clear selection`} onClick={list.clearSelection} />
      <Text size="sm" fw={550} role="status" style={{ whiteSpace: 'nowrap' }}>
        {t`${number(selected.size)} selected`}
      </Text>
      {!isAll && (
        <Button size="compact-xs" variant="subtle" onClick={list.chooseAll}>
          {total === undefined ? t`Select all` : t`Select all ${number(total)}`}
        </Button>
      )}
      <Group gap="xs" ms="auto">
        {children}
      </Group>
    </Group>
  )
}

function Tool({ icon: Icon, ...props }: ButtonProps & ComponentProps<'button'> & { icon: IconComponent }) {
  return <Button size="xs" variant="default" leftSection={<Icon size={15} />} {...props} />
}

/** The state of a menu of the bar. It opens only after its button is mounted, because it is placed next to it. */
function useMenu({ menu, setMenu }: List, name: NonNullable<List['menu']>) {
  const mounted = useMounted()
  return { opened: menu === name && mounted, onChange: (open: boolean) => setMenu(open ? name : undefined) }
}

function BulkMove({ list, changes }: BulkBarProps) {
  const { chosen } = list.selected
  const organizations = useQuery(organizationsOptions)
  const create = useNewOrganization()
  return (
    <Menu position="bottom-end" shadow="md" {...useMenu(list, 'move')}>
      <Menu.Target>
        <Tool icon={IconFolderSymlink}>{t`Move`}</Tool>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => changes.move(chosen, 'private')}>{t`Private`}</Menu.Item>
        <Menu.Item onClick={() => changes.move(chosen, 'public')}>{t`Public`}</Menu.Item>
        {organizations.data?.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => changes.move(chosen, { organization: id, name })}>
            {t`To ${name}`}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => create((id, name) => changes.move(chosen, { organization: id, name }))}>
          {t`New organization …`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Offers the actions in the palette. */
function useCommands({ selected: { size: count, chosen }, setMenu }: List, changes: Changes, remove: () => void): void {
  useEffect(
    () =>
      offerCommands('selection', [
        { name: t`Tag ${number(count)} selected`, keys: ['T'], run: () => setMenu('tag') },
        { name: t`Move ${number(count)} selected`, keys: ['M'], run: () => setMenu('move') },
        ...STATES.map((state) => ({
          name: turnLabel(state, count),
          keys: [STATE_KEYS[state]],
          run: () => void changes.toggleState(chosen, state)
        })),
        {
          name: t`Copy the addresses of ${number(count)} selected`,
          keys: ['C'],
          run: () => void copyAddresses(chosen)
        },
        { name: t`Export ${number(count)} selected`, keys: [], run: () => setMenu('more') },
        { name: t`Delete ${number(count)} selected`, keys: ['Del'], run: remove }
      ]),
    [count, chosen, changes, remove, setMenu]
  )
}

function turnLabel(state: State, count: number): string {
  if (state === 'favorite') return t`Add to or remove from favorites: ${number(count)} selected`
  return state === 'unread'
    ? t`Mark as unread or read: ${number(count)} selected`
    : t`Archive or unarchive: ${number(count)} selected`
}

/** Shows the tags of the selected bookmarks, and adds and removes tags. */
function BulkTags({ list, changes }: BulkBarProps) {
  const { chosen } = list.selected
  const { opened, onChange } = useMenu(list, 'tag')
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      width={300}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Tool icon={IconTag} aria-haspopup="dialog" aria-expanded={opened} onClick={() => onChange(!opened)}>
          {t`Tags`}
        </Tool>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t`Tags of the selected bookmarks`}>
        <TagPicker
          chosen={chosen}
          onApply={async (tags) => {
            if (await changes.setTags(chosen, tags)) onChange(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Maximum number of pages that are opened at once, with and without a question before. */
const MAX_OPENED = 50
const MAX_OPENED_UNASKED = 10

/** Loaded after the list, because the menu is closed at first. */
const ExportFormats = lazyWithPreload(() =>
  import('../../shared/export-formats.tsx').then((file) => file.ExportFormats)
)

/** The less frequent actions for the selected bookmarks: open them, save them as a file, check their links. */
function BulkMore({ list }: { list: List }) {
  const { chosen, size } = list.selected
  const check = useCheckLinks()
  const saving = useSaveExport()
  useEffect(() => void ExportFormats.load(), [])
  return (
    <Menu position="bottom-end" shadow="md" width={240} {...useMenu(list, 'more')}>
      <Menu.Target>
        <Tool icon={IconDots} loading={check.isPending}>{t`More`}</Tool>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconExternalLink size={16} />}
          disabled={size > MAX_OPENED}
          onClick={() => openAll(chosen).catch(notifyError)}
        >
          {size > MAX_OPENED ? t`Open in tabs: ${number(MAX_OPENED)} at most` : t`Open ${number(size)} in tabs`}
        </Menu.Item>
        <Menu.Item leftSection={<IconLinkOff size={16} />} onClick={() => check.mutate(linksOf(chosen))}>
          {t`Check links`}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t`Export these bookmarks`}</Menu.Label>
        <Suspense>
          <ExportFormats>
            {({ id, name, drops }) => (
              <Menu.Item
                key={id}
                title={drops}
                leftSection={<IconDownload size={16} />}
                onClick={() => saving.mutate({ format: id, chosen })}
              >
                {name}
              </Menu.Item>
            )}
          </ExportFormats>
        </Suspense>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Returns the links to check. Of all bookmarks of a list except some, the exceptions are checked too. */
function linksOf(chosen: Chosen) {
  if ('ids' in chosen) return { ids: chosen.ids }
  const { typing: _, trash: __, ...listed } = chosen.all
  return listed
}

/** Opens the pages of the selected bookmarks in tabs. Browsers block all but the first, unless pop-ups are allowed. */
async function openAll(chosen: Chosen): Promise<void> {
  const { pages } = await ask(api.bookmarks.selections.$post({ json: chosen }))
  const { length } = pages
  if (length === 0) return void notify(t`None of these has an address to open.`)
  const question = { title: t`Open that many?`, text: t`${number(length)} tabs will be opened.`, action: t`Open all` }
  if (length > MAX_OPENED_UNASKED && !(await confirm(question))) return
  const opened = pages.filter(({ url }) => {
    // Not `noopener`: with it, `open` returns `null` even if a tab was opened.
    const tab = window.open(url, '_blank')
    if (tab) tab.opener = null
    return tab !== null
  })
  if (opened.length > 0) noteOpenings(opened.map(({ id }) => id))
  if (opened.length < length && !host)
    notify(
      t`The browser let ${number(opened.length)} of ${number(length)} open. Allow pop-ups for this address to open all at once.`
    )
}
