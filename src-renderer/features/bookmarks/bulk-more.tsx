import { Button, Menu } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ExportFormatId } from '../../../src-main/contract/library-export.ts'
import { api } from '../../shared/api.ts'
import { confirm } from '../../shared/confirm.tsx'
import { host } from '../../shared/host.ts'
import { useCheckLinks } from '../../shared/link-checks.ts'
import { notify, notifyError } from '../../shared/notify.tsx'
import { noteOpenings } from '../../shared/openings.ts'
import { ask } from '../../shared/request.ts'
import { useSaveExport } from '../../shared/save-export.ts'
import { useStore } from '../../shared/store.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { exports as formats } from '../../strings/exports.ts'
import { linkChecks as links } from '../../strings/links.ts'
import { IconDots, IconDownload, IconExternalLink, IconLinkOff } from '../../ui/icons/icons.ts'
import { askedBulk } from './asked-bulk.ts'
import type { Chosen } from './list/selection.ts'
import type { Selected } from './list/use-list.ts'

/** Pages that are opened together at most, and as many as are without being asked about. */
const MAX_OPENED = 50
const OPENED_UNASKED = 10

/** The less frequent actions for the selected bookmarks: open them, save them as a file, check their links. */
export function BulkMore({ selected: { chosen, size } }: { selected: Selected }) {
  const check = useCheckLinks()
  const saving = useSaveExport()
  // A menu that begins open has nothing to stand by.
  const mounted = useMounted()
  const opened = useStore(askedBulk) === 'more' && mounted
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      width={240}
      opened={opened}
      onChange={(open) => askedBulk.set(open ? 'more' : undefined)}
    >
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDots size={15} />} loading={check.isPending}>
          {strings.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconExternalLink size={16} />}
          disabled={size > MAX_OPENED}
          onClick={() => openAll(chosen).catch(notifyError)}
        >
          {size > MAX_OPENED ? strings.openFewer(MAX_OPENED) : strings.openAll(size)}
        </Menu.Item>
        <Menu.Item leftSection={<IconLinkOff size={16} />} onClick={() => check.mutate(linksOf(chosen))}>
          {links.check}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{formats.title}</Menu.Label>
        {Object.entries(formats.formats).map(([id, { name, drops }]) => (
          <Menu.Item
            key={id}
            title={drops}
            leftSection={<IconDownload size={16} />}
            onClick={() => saving.mutate({ format: id as ExportFormatId, chosen })}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A check takes in a few more than were chosen, rather than name each. */
function linksOf(chosen: Chosen) {
  if ('ids' in chosen) return { ids: chosen.ids }
  const { typing: _, trash: __, ...listed } = chosen.all
  return listed
}

/** Opens the pages of what is selected, each in a tab. A browser lets only some open unless it was told to let all. */
async function openAll(chosen: Chosen): Promise<void> {
  const { pages } = await ask(api.bookmarks.selections.$post({ json: chosen }))
  const { length } = pages
  if (length === 0) return notify(strings.nothingToOpen)
  const question = { title: strings.openManyTitle, text: strings.openManyText(length), action: strings.openMany }
  if (length > OPENED_UNASKED && !(await confirm(question))) return
  const opened = pages.filter(({ url }) => {
    // Told what it opens by no one: with `noopener` a browser does not say whether it opened anything.
    const tab = window.open(url, '_blank')
    if (tab) tab.opener = null
    return tab !== null
  })
  if (opened.length > 0) noteOpenings(opened.map(({ id }) => id))
  if (opened.length < length && !host) notify(strings.openBlocked(opened.length, length))
}
