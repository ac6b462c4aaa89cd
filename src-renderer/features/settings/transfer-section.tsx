import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ExportFormatId } from '../../../src-main/contract/library-export.ts'
import { api, ask } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import { useSaveExport } from '../../api/mutations.ts'
import { importsOptions, syncOptions } from '../../api/service-queries.ts'
import { forgetImport } from '../../api/undo.ts'
import { longDate } from '../../lib/dates.ts'
import { number } from '../../lib/locale.ts'
import { confirm, startImporting } from '../../shared/dialogs.ts'
import { exportFormats } from '../../shared/export-formats.tsx'
import { notify, notifyError } from '../../ui/notify.tsx'
import { Row, Rows, Section } from './section.tsx'

/** Imports files, undoes past imports, and exports the whole library. */
export function TransferSection() {
  const [format, setFormat] = useState<ExportFormatId>('jsonl')
  const saving = useSaveExport()
  return (
    <Section id="transfer" title={t`Import and export`}>
      <Text size="sm">
        <Trans>
          Bring in bookmarks from a browser or another bookmark manager. Dropping a file on any page does the same.
        </Trans>
      </Text>
      <Button onClick={() => startImporting()}>{t`Import a file`}</Button>
      <PastImports />
      <Radio.Group
        label={t`Export everything as`}
        value={format}
        onChange={(value) => setFormat(value as ExportFormatId)}
        mt="sm"
      >
        <Stack gap="sm" mt="sm">
          {Object.entries(exportFormats()).map(([id, { name, drops }]) => (
            <Radio key={id} value={id} label={name} description={drops} />
          ))}
        </Stack>
      </Radio.Group>
      <Button variant="default" onClick={() => saving.mutate({ format })} loading={saving.isPending}>
        {t`Export`}
      </Button>
    </Section>
  )
}

/** Maximum number of bookmarks of an import that is undone without a question. */
const MAX_UNDONE_UNASKED = 100

function PastImports() {
  const { data = [] } = useQuery(importsOptions)
  const undoing = useUndoImport()
  const sync = useQuery({ ...syncOptions, refetchInterval: false }).data?.sync
  const isSynced = sync !== undefined && sync !== null
  async function undo(id: number, imported: number) {
    const text =
      t`${plural(imported, { one: '# bookmark', other: '# bookmarks' })} will be moved to the trash. What you changed since the import stays.` +
      (isSynced
        ? ` ${t`This happens on your other machines too. To take them back only here, first select Stop syncing in Settings, Sync.`}`
        : '')
    const question = { title: t`Undo this import?`, text, action: t`Undo` }
    if ((imported <= MAX_UNDONE_UNASKED && !isSynced) || (await confirm(question))) undoing.mutate(id)
  }
  if (data.length === 0) return null
  return (
    <Rows label={t`Past imports`}>
      {data.map(({ id, at, imported, undone, joined, file }) => (
        <Row
          key={id}
          title={joined ? t`From your other machines` : (file ?? t`A file`)}
          text={`${longDate(at)} · ${plural(imported, { one: '# bookmark', other: '# bookmarks' })}`}
        >
          <Group gap="xs" wrap="nowrap" flex="none">
            {undone ? (
              <Text size="sm" c="dimmed">
                {t`Undone`}
              </Text>
            ) : (
              <>
                <Button
                  component={Link}
                  href={`/?q=import:${id}`}
                  size="compact-sm"
                  variant="subtle"
                  aria-label={t`Show them: the import of ${plural(imported, { one: '# bookmark', other: '# bookmarks' })} of ${longDate(at)}`}
                >
                  {t`Show them`}
                </Button>
                <Button
                  size="compact-sm"
                  variant="light"
                  aria-label={t`Undo the import of ${plural(imported, { one: '# bookmark', other: '# bookmarks' })} of ${longDate(at)}`}
                  loading={undoing.isPending && undoing.variables === id}
                  onClick={() => void undo(id, imported)}
                >
                  {t`Undo`}
                </Button>
              </>
            )}
          </Group>
        </Row>
      ))}
    </Rows>
  )
}

function useUndoImport() {
  return useMutation({
    mutationFn: (id: number) =>
      longWork({
        what: t`Undoing the import …`,
        stoppable: true,
        begin: (name) => ask(api.imports[':id'].undo.$post({ param: { id: String(id) }, query: { name } }))
      }),
    meta: { changes: ['bookmarks'] },
    onSuccess({ undone, kept, cancelled, problem }, id) {
      forgetImport(id)
      if (problem)
        notifyError(
          new Error(
            t`${plural(undone, { one: '# bookmark', other: '# bookmarks' })} moved to the trash. ${problem.message}`
          )
        )
      else
        notify(
          cancelled
            ? t`Stopped: ${number(undone)} moved to the trash, the rest is still there. Undo again to continue.`
            : t`${plural(undone, { one: '# bookmark', other: '# bookmarks' })} moved to the trash${plural(kept, { 0: '', other: '; # changed since and stay' })}.`
        )
    }
  })
}
