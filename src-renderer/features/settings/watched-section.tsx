import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { watchedOptions } from '../../api/service-queries.ts'
import { watched as strings } from '../../strings/watched.ts'
import { Ago } from '../../ui/ago.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { notify } from '../../ui/notify.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'

/** Files of other programs that are imported again whenever they change. */
export function WatchedSection() {
  const reading = useQuery(watchedOptions)
  const watching = useMutation({
    mutationFn: (file: string) => ask(api['watched-files'].$post({ json: { file } })),
    meta: { quiet: true, changes: ['settings', 'bookmarks'] },
    onSuccess: ({ imported }) => notify(strings.watching(imported))
  })
  const stopping = useMutation({
    mutationFn: (file: string) => ask(api['watched-files'].$delete({ query: { file } })),
    meta: { changes: ['settings'] }
  })
  const { files = [], found = [] } = reading.data ?? {}
  return (
    <Section id="watched" title={strings.title}>
      <Text size="sm">{strings.text}</Text>
      <NotLoaded query={reading} failed={strings.failed} />
      {files.length > 0 && (
        <ul className={classes.list} aria-label={strings.title}>
          {files.map(({ file, lastAt, imported, problem }) => (
            <FileRow key={file} file={file} label={strings.stopLabel(file)} action={strings.stop} changing={stopping}>
              <Text size="xs" c={problem === null ? 'dimmed' : 'var(--mantine-color-error)'}>
                {problem ?? (lastAt === null ? strings.notYet : strings.brought(imported))}{' '}
                {problem === null && lastAt !== null && <Ago iso={lastAt} />}
              </Text>
            </FileRow>
          ))}
        </ul>
      )}
      {found.length > 0 && (
        <>
          <Text size="sm" fw={500}>
            {strings.found}
          </Text>
          <ul className={classes.list} aria-label={strings.found}>
            {found.map((file) => (
              <FileRow
                key={file}
                file={file}
                label={strings.watchLabel(file)}
                action={strings.watch}
                changing={watching}
                disabled={watching.isPending}
              />
            ))}
          </ul>
        </>
      )}
      <OtherFile busy={watching.isPending} problem={watching.error?.message} onWatch={watching.mutateAsync} />
    </Section>
  )
}

interface FileRowProps {
  file: string
  label: string
  action: string
  changing: { isPending: boolean; variables: string | undefined; mutate(file: string): void }
  disabled?: boolean
  children?: ReactNode
}

/** A file in a list, with the button that begins or ends watching it. */
function FileRow({ file, label, action, changing, disabled = false, children }: FileRowProps) {
  return (
    <li>
      <div>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {file}
        </Text>
        {children}
      </div>
      <Button
        size="compact-sm"
        variant="light"
        aria-label={label}
        loading={changing.isPending && changing.variables === file}
        disabled={disabled}
        onClick={() => changing.mutate(file)}
      >
        {action}
      </Button>
    </li>
  )
}

interface OtherFileProps {
  busy: boolean
  problem: string | undefined
  onWatch(file: string): Promise<unknown>
}

/** A file by its path: a page is not told where a chosen file lies. */
function OtherFile({ busy, problem, onWatch }: OtherFileProps) {
  const [file, setFile] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (file.trim() === '') return
    onWatch(file).then(
      () => setFile(''),
      () => {} // the field says why
    )
  }

  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="sm">
        <TextInput
          label={strings.path}
          placeholder={strings.pathHint}
          value={file}
          error={problem}
          onChange={(event) => setFile(event.currentTarget.value)}
          spellCheck={false}
          style={{ flex: 1, minWidth: '14rem' }}
        />
        <Button type="submit" variant="default" mt={25} loading={busy}>
          {strings.watch}
        </Button>
      </Group>
    </form>
  )
}
