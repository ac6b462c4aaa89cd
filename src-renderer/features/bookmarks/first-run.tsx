import { plural, t } from '@lingui/core/macro'
import { Box, Button, Center, Group, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { api, ask, sessionHeaders } from '../../api/client.ts'
import { type BrowserFile, browserFilesOptions, type Editor, editorsOptions } from '../../api/service-queries.ts'
import { ConnectButton, RemainingKey } from '../../shared/connection.tsx'
import { startAdding, startImporting } from '../../shared/dialogs.ts'
import { IconBookmark, IconBookmarks, IconFileImport, IconPlugConnected } from '../../ui/icons/icons.ts'
import classes from './first-run.module.css'
import { TrySamples } from './samples.tsx'

/** Maximum number of editors in the list. The others are on the page of API keys. */
const MAX_EDITORS = 4

/** Shown while the library is empty: imports, editors to connect, samples, and a button that adds a bookmark. */
export function FirstRun() {
  return (
    <Box className={classes.page}>
      <Title order={2} size="h2">
        {t`Welcome to Earmark`}
      </Title>
      <Text c="dimmed" mt={4} mb="1.5rem">
        {t`Your bookmarks stay on this computer.`}
      </Text>
      <Stack gap="md">
        <ImportCard />
        <SimpleGrid minColWidth="16rem" autoFlow="auto-fit" spacing="md">
          <EditorsCard />
          <Card
            icon={<IconBookmarks size={22} stroke={1.5} />}
            title={t`Look around first`}
            text={t`Links, images, colors and texts to search and to change. Remove them with one click.`}
          >
            <TrySamples />
          </Card>
          <Card
            icon={<IconBookmark size={22} stroke={1.5} />}
            title={t`Save your first bookmark`}
            text={t`A page, an image, a color or a text. You can also paste anywhere in this window.`}
          >
            <Button variant="default" onClick={() => startAdding()}>{t`Add a bookmark`}</Button>
          </Card>
        </SimpleGrid>
      </Stack>
    </Box>
  )
}

function ImportCard() {
  const files = useQuery(browserFilesOptions)
  const { data = [], isPending } = files
  return (
    <Card
      icon={<IconFileImport size={22} stroke={1.5} />}
      title={t`Import your bookmarks`}
      text={t`You see first what is new. Duplicates are skipped, and you can undo the import as a whole.`}
    >
      {isPending && (
        <Group gap="xs" role="status">
          <Loader size="xs" type="dots" aria-hidden />
          <Text size="sm" c="dimmed">{t`Looking for browsers on this computer …`}</Text>
        </Group>
      )}
      {data.length > 0 && (
        <ul className={classes.rows} aria-label={t`Browsers on this computer`}>
          {data.map((source) => (
            <BrowserRow key={source.file} source={source} all={data} />
          ))}
        </ul>
      )}
      <Button variant={isPending || data.length > 0 ? 'default' : 'filled'} onClick={() => startImporting()}>
        {t`Import a file`}
      </Button>
    </Card>
  )
}

/** A browser's profile. If the browser has several, the row also shows the profile's folder. */
function BrowserRow({ source, all }: { source: BrowserFile; all: BrowserFile[] }) {
  const { file, browser, bookmarks } = source
  const isOnly = all.filter((other) => other.browser === browser).length === 1
  const name = isOnly ? browser : `${browser}, ${profileOf(file)}`
  const reading = useMutation({
    mutationFn: () => readBrowserFile(file),
    onSuccess: (blob) => startImporting(new File([blob], name))
  })
  return (
    <li>
      <Text component="span" size="sm" fw={500} className={classes.name}>
        {name}
        <Text span size="sm" c="dimmed" fw={400}>
          {` · ${plural(bookmarks, { one: '# bookmark', other: '# bookmarks' })}`}
        </Text>
      </Text>
      <Button
        size="xs"
        aria-label={t`Import from ${name}`}
        loading={reading.isPending}
        onClick={() => reading.mutate()}
      >
        {t`Import`}
      </Button>
    </li>
  )
}

function profileOf(file: string): string {
  return file.split(/[\\/]/).at(-2) ?? file
}

/** Reads the bookmark file of a browser, which is then imported like a chosen file. */
async function readBrowserFile(file: string): Promise<Blob> {
  const response = await fetch(`/api/browser-files/content?${new URLSearchParams({ file })}`, {
    headers: sessionHeaders()
  })
  if (!response.ok) await ask(Promise.resolve(response))
  return response.blob()
}

function EditorsCard() {
  const editors = useQuery(editorsOptions)
  const installed = editors.data?.filter((editor) => editor.found) ?? []
  return (
    <Card
      icon={<IconPlugConnected size={22} stroke={1.5} />}
      title={t`Connect an editor`}
      text={t`The agent in your editor can then find and save bookmarks.`}
    >
      {installed.length > 0 && (
        <ul className={classes.rows} aria-label={t`Editors on this computer`}>
          {installed.slice(0, MAX_EDITORS).map((editor) => (
            <EditorRow key={editor.id} editor={editor} />
          ))}
        </ul>
      )}
      <Button variant="default" component={Link} href="/profile/api-keys">
        {installed.length > 0 ? t`All editors and keys` : t`Create an API key`}
      </Button>
    </Card>
  )
}

/** Connects an editor with a new key, and disconnects it. */
function EditorRow({ editor: { id, name, connected } }: { editor: Editor }) {
  const change = useMutation({
    mutationFn: async (connects: boolean): Promise<{ file: string }> =>
      connects
        ? ask(api.editors[':id'].connect.$post({ param: { id }, json: {} }))
        : ask(api.editors[':id'].disconnect.$post({ param: { id }, json: {} })),
    meta: { changes: ['editors', 'keys'] }
  })
  const { data, variables: connects } = change
  const button = useRef<HTMLButtonElement>(null)
  return (
    <li>
      <Text component="div" size="sm" fw={500} className={classes.name}>
        {name}
        {data && (
          <Text size="xs" c="dimmed" fw={400} role="status">
            {connects ? t`Saved in ${data.file}. Restart the editor.` : t`${data.file} is restored.`}
          </Text>
        )}
        {connects === false && data && (
          <RemainingKey matches={(key) => key.name === name} onRevoked={() => button.current?.focus()} />
        )}
      </Text>
      <ConnectButton ref={button} name={name} connected={connected} change={change} />
    </li>
  )
}

interface CardProps {
  icon: ReactNode
  title: string
  text: string
  children: ReactNode
}

function Card({ icon, title, text, children }: CardProps) {
  return (
    <Stack component="section" gap="0.6rem" className={classes.card}>
      <Group gap="0.7rem" wrap="nowrap">
        <Center w={38} h={38} flex="none" bdrs={10} bg="var(--earmark-chosen)" c="var(--earmark-accent)">
          {icon}
        </Center>
        <Title order={3} size="h5">
          {title}
        </Title>
      </Group>
      <Text size="sm" c="dimmed" flex={1}>
        {text}
      </Text>
      {children}
    </Stack>
  )
}
