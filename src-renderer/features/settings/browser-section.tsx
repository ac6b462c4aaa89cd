import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { browsersOptions } from '../../api/service-queries.ts'
import { browsers as strings } from '../../strings/browsers.ts'
import { Command } from '../../ui/command.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { notify } from '../../ui/notify.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'

/** The browsers of this machine, whether the extension in them reaches Earmark, and how it is installed. */
export function BrowserSection() {
  const browsers = useQuery(browsersOptions)
  const { data } = browsers
  const shown = data?.browsers.filter(({ found, sandbox, connected }) => found || sandbox || connected)
  return (
    <Section id="browsers" title={strings.title}>
      <Text size="sm">{strings.text}</Text>
      <NotLoaded query={browsers} failed={strings.failed} busy={browsers.isFetching} />
      {shown?.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.none}
        </Text>
      )}
      {shown && shown.length > 0 && (
        <ul className={classes.list} aria-label={strings.list}>
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
    onSuccess: (_, connects) => notify((connects ? strings.didConnect : strings.didDisconnect)(name))
  })
  const isShut = !found && !connected && sandbox !== null
  return (
    <li>
      <Text size="sm">
        {name}
        <Text span c="dimmed" size="sm">
          {` · ${isShut ? strings.sandbox(sandbox) : connected ? strings.connected : strings.notConnected}`}
        </Text>
      </Text>
      {!isShut && (
        <Group gap="sm">
          <Button
            size="compact-sm"
            variant={connected ? 'default' : 'light'}
            aria-label={(connected ? strings.disconnectFrom : strings.connectTo)(name)}
            loading={change.isPending}
            onClick={() => change.mutate(!connected)}
          >
            {connected ? strings.disconnect : strings.connect}
          </Button>
        </Group>
      )}
    </li>
  )
}

function Install({ folder }: { folder: string }) {
  return (
    <>
      <Text size="sm">{strings.install.chromium}</Text>
      <Command text={`${folder}/chromium`} label={strings.folder.chromium} />
      <Text size="sm">{strings.install.firefox}</Text>
      <Command text={`${folder}/firefox/manifest.json`} label={strings.folder.firefox} />
    </>
  )
}
