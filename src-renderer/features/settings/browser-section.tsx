import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { browsersOptions } from '../../api/service-queries.ts'
import { Command } from '../../ui/command.tsx'
import { notify } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'

/** The browsers of this machine, whether the extension in them reaches Earmark, and how it is installed. */
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
        <ul className={classes.list} aria-label={t`Browsers`}>
          {shown.map((browser) => (
            <Browser key={browser.id} {...browser} />
          ))}
        </ul>
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
  const isShut = !found && !connected && sandbox !== null
  return (
    <li>
      <Text size="sm">
        {name}
        <Text span c="dimmed" size="sm">
          {' · '}
          {isShut && t`A browser from ${sandbox} cannot start Earmark. Use the bookmarklet in it.`}
          {!isShut && (connected ? t`Connected` : t`Not connected`)}
        </Text>
      </Text>
      {!isShut && (
        <Group gap="sm">
          <Button
            size="compact-sm"
            variant={connected ? 'default' : 'light'}
            aria-label={connected ? t`Disconnect ${name}` : t`Connect ${name}`}
            loading={change.isPending}
            onClick={() => change.mutate(!connected)}
          >
            {connected ? t`Disconnect` : t`Connect`}
          </Button>
        </Group>
      )}
    </li>
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
