import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, ask } from '../../api/client.ts'
import { markdownFolderOptions, watchedOptions } from '../../api/service-queries.ts'
import { Ago } from '../../ui/facts.tsx'
import { Form } from '../../ui/form-modal.tsx'
import { notify } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { FolderForm } from './folder-form.tsx'
import { Row, Rows, Section } from './section.tsx'

/** Files of other programs that are imported again whenever they change. */
export function WatchedSection() {
  const reading = useQuery(watchedOptions)
  const watching = useMutation({
    mutationFn: (file: string) => ask(api['watched-files'].$post({ json: { file } })),
    meta: { quiet: true, changes: ['settings', 'bookmarks'] },
    onSuccess: ({ imported }) =>
      notify(t`Watching. ${plural(imported, { one: '# bookmark', other: '# bookmarks' })} imported.`)
  })
  const stopping = useMutation({
    mutationFn: (file: string) => ask(api['watched-files'].$delete({ query: { file } })),
    meta: { changes: ['settings'] }
  })
  const { files = [], found = [] } = reading.data ?? {}
  return (
    <Section id="watched" title={t`Watched files`}>
      <Text size="sm">
        <Trans>
          While Earmark runs, it imports new bookmarks whenever a browser changes these files. It never writes to them,
          and does not import what you deleted.
        </Trans>
      </Text>
      <NotLoaded query={reading} failed={t`The watched files could not be listed.`} />
      {files.length > 0 && (
        <Rows label={t`Watched files`}>
          {files.map(({ file, lastAt, imported, problem }) => (
            <FileRow key={file} file={file} label={t`Stop watching ${file}`} action={t`Stop`} changing={stopping}>
              {problem !== null ? (
                <Text span inherit c="var(--mantine-color-error)">
                  {problem}
                </Text>
              ) : lastAt === null ? (
                t`Not checked yet`
              ) : (
                <>
                  {t`${plural(imported, { one: '# bookmark', other: '# bookmarks' })} since Earmark started; last checked`}{' '}
                  <Ago iso={lastAt} />
                </>
              )}
            </FileRow>
          ))}
        </Rows>
      )}
      {found.length > 0 && (
        <>
          <Text size="sm" fw={500}>
            {t`Found on this computer`}
          </Text>
          <Rows label={t`Found on this computer`}>
            {found.map((file) => (
              <FileRow
                key={file}
                file={file}
                label={t`Watch ${file}`}
                action={t`Watch`}
                changing={watching}
                disabled={watching.isPending}
              />
            ))}
          </Rows>
        </>
      )}
      <OtherFile onWatch={watching.mutateAsync} />
    </Section>
  )
}

/** A folder with a Markdown file for each bookmark, which is kept up to date for other programs. */
export function MarkdownFolderSection() {
  const reading = useQuery(markdownFolderOptions)
  const { folder = null, files = 0, fault = null } = reading.data ?? {}
  return (
    <Section id="markdown-folder" title={t`Markdown folder`}>
      <NotLoaded query={reading} failed={t`The settings could not be read.`} />
      {reading.data && (
        <FolderForm
          name="markdownFolder"
          folder={folder}
          label={t`Keep a Markdown file for each bookmark in`}
          description={t`For Obsidian and other programs, with tags, highlights and the text of the page. Private bookmarks are included: whoever can read the folder can read them. Files that you change are left alone.`}
          placeholder="/home/me/Notes/Bookmarks"
          stop={t`Stop`}
          outcome={(chosen) =>
            chosen === null
              ? t`The folder is no longer kept current. Its files stay.`
              : t`${chosen} is kept current from now on.`
          }
          onChanged={() => reading.refetch()}
        />
      )}
      {folder !== null && fault === null && (
        <Text size="sm" c="dimmed">
          {plural(files, { one: '# file', other: '# files' })}
        </Text>
      )}
      {fault !== null && (
        <Alert color="red" title={t`The Markdown folder is not up to date`} role="alert">
          {fault}
        </Alert>
      )}
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

/** A file in a list, with a button that starts or stops watching it. */
function FileRow({ file, label, action, changing, disabled = false, children }: FileRowProps) {
  return (
    <Row title={file} text={children}>
      <Button
        size="compact-sm"
        variant="light"
        flex="none"
        aria-label={label}
        loading={changing.isPending && changing.variables === file}
        disabled={disabled}
        onClick={() => changing.mutate(file)}
      >
        {action}
      </Button>
    </Row>
  )
}

/** Watches a file by its path. Not a file field, because a browser does not give the page the path of a chosen file. */
function OtherFile({ onWatch }: { onWatch(file: string): Promise<unknown> }) {
  return (
    <Form
      layout="row"
      initialValues={{ file: '' }}
      action={t`Watch`}
      faultAt="file"
      canSubmit={({ file }) => file.trim() !== ''}
      onSubmit={({ file }, form) => onWatch(file).then(form.reset)}
    >
      {(form) => (
        <TextInput
          label={t`Another file, by its full path`}
          placeholder={t`Chrome’s Bookmarks, Firefox’s places.sqlite, any export`}
          spellCheck={false}
          style={{ flex: 1, minWidth: '14rem' }}
          {...form.getInputProps('file')}
        />
      )}
    </Form>
  )
}
