import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { browsersOptions } from '../../api/service-queries.ts'
import { ConnectButton } from '../../shared/connection.tsx'
import { Command } from '../../ui/command.tsx'
import { IconBookmark } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Row, Rows, Section } from './section.tsx'

/** The browsers of this machine, whether their extension is connected with Earmark, and how to install it. */
export function BrowserSection() {
  const browsers = useQuery(browsersOptions)
  const { data } = browsers
  const shown = data?.browsers.filter(({ found, sandbox, connected }) => found || sandbox || connected)
  return (
    <Section id="browsers" title={t`Browser extension`}>
      <Text size="sm">
        <Trans>
          Save pages with their tags and their text from your browser’s own button, see which are saved, and search from
          the address bar. The extension speaks to Earmark through a small program, which must be registered with each
          browser.
        </Trans>
      </Text>
      <NotLoaded query={browsers} failed={t`The browsers could not be listed.`} busy={browsers.isFetching} />
      {shown?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t`No supported browser was found.`}
        </Text>
      )}
      {shown && shown.length > 0 && (
        <Rows label={t`Browsers`}>
          {shown.map((browser) => (
            <Browser key={browser.id} {...browser} />
          ))}
        </Rows>
      )}
      {data && data.extension !== null && <Install folder={data.extension} />}
    </Section>
  )
}

interface BrowserProps {
  id: string
  name: string
  found: boolean
  sandbox: string | null
  connected: boolean
}

function Browser({ id, name, found, sandbox, connected }: BrowserProps) {
  const change = useMutation({
    mutationFn: (connects: boolean) => {
      const { connect, disconnect } = api.browsers[':id']
      return ask((connects ? connect : disconnect).$post({ param: { id }, json: {} }))
    },
    meta: { changes: ['browsers'] },
    onSuccess: (_, connects) => notify(connects ? t`${name} is connected.` : t`${name} is not connected any more.`)
  })
  const isSandboxed = !found && !connected && sandbox !== null
  const state = isSandboxed
    ? t`A browser from ${sandbox} cannot start Earmark. Use the bookmarklet in it.`
    : connected
      ? t`Connected`
      : t`Not connected`
  return (
    <Row title={name} text={state}>
      {!isSandboxed && <ConnectButton name={name} connected={connected} change={change} />}
    </Row>
  )
}

function Install({ folder }: { folder: string }) {
  return (
    <>
      <Text size="sm">
        <Trans>
          To install the extension in Chrome, Chromium, Edge or Brave: open chrome://extensions there, switch Developer
          mode on, choose Load unpacked and take this folder.
        </Trans>
      </Text>
      <Command text={`${folder}/chromium`} label={t`Folder for Chromium browsers`} />
      <Text size="sm">
        <Trans>
          In Firefox: open about:debugging, This Firefox, Load Temporary Add-on. Firefox removes the extension when it
          closes, because it is not signed.
        </Trans>
      </Text>
      <Command text={`${folder}/firefox/manifest.json`} label={t`File for Firefox`} />
    </>
  )
}

/** A bookmarklet that sends the current page of the browser to quick capture. */
export function BookmarkletSection() {
  return (
    <Section id="bookmarklet" title={t`Capture from a browser`}>
      <Text size="sm">
        <Trans>
          Drag this link to your browser’s bookmarks bar. On any page, click it to open quick capture with the page’s
          address, title and your selection. Press Enter to save. It needs the installed desktop app; the browser asks
          once whether it may open it.
        </Trans>
      </Text>
      <Anchor
        // React does not allow scripts in `href`, which a bookmarklet is.
        ref={(link) => link?.setAttribute('href', BOOKMARKLET)}
        draggable
        onClick={(event) => {
          event.preventDefault()
          notify(t`Drag this link to your bookmarks bar.`)
        }}
        style={{ alignSelf: 'flex-start', display: 'inline-flex', gap: 6, alignItems: 'center', cursor: 'grab' }}
      >
        <IconBookmark size={16} stroke={1.7} />
        {t`Save to Earmark`}
      </Anchor>
      <Text size="sm" c="dimmed">
        {t`If you can’t drag it, create a bookmark in the browser and paste this as its address:`}
      </Text>
      <Command text={BOOKMARKLET} label={t`Bookmarklet`} />
    </Section>
  )
}

/** Maximum length of the selection, as that of a description, in UTF-16 code units. */
const MAX_SELECTION_LENGTH = 2048

/**
 * The code that the bookmarklet runs on the current page: it sends the address, the title and the selection to quick
 * capture. The browser asks whether to open Earmark. Nothing is saved before Enter.
 */
export const BOOKMARKLET =
  'javascript:' +
  encodeURI(
    '(()=>{' +
      'const e=encodeURIComponent,d=document,t=String(getSelection()).slice(0,' +
      `${MAX_SELECTION_LENGTH})` +
      ".replace(/[\\ud800-\\udbff]$/,'');" +
      "location.href='earmark://capture?url='+e(location.href)+'&title='+e(d.title)+'&text='+e(t)" +
      '})()'
  )
