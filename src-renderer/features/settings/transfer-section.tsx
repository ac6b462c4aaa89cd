import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ExportFormatId } from '../../../src-main/contract/library-export.ts'
import { useSaveExport } from '../../api/mutations.ts'
import { importsOptions, syncOptions } from '../../api/service-queries.ts'
import { longDate } from '../../lib/dates.ts'
import { startImporting } from '../../shared/dialogs.ts'
import { common } from '../../strings/common.ts'
import { exports } from '../../strings/exports.ts'
import { settings as strings } from '../../strings/settings.ts'
import { confirm } from '../../ui/confirm.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'
import { useUndoImport } from './transfer-data.ts'

/** Bookmarks in and out: files to import, past imports to undo, the whole library as a file. */
export function TransferSection() {
  const [format, setFormat] = useState<ExportFormatId>('jsonl')
  const saving = useSaveExport()
  return (
    <Section id="transfer" title={strings.transfer}>
      <Text size="sm">{strings.importText}</Text>
      <Button onClick={() => startImporting()} style={{ alignSelf: 'flex-start' }}>
        {strings.import}
      </Button>
      <PastImports />
      <Radio.Group
        label={strings.exportAs}
        value={format}
        onChange={(value) => setFormat(value as ExportFormatId)}
        mt="sm"
      >
        <Stack gap="sm" mt="sm">
          {Object.entries(exports.formats).map(([id, { name, drops }]) => (
            <Radio key={id} value={id} label={name} description={drops} />
          ))}
        </Stack>
      </Radio.Group>
      <Button
        variant="default"
        onClick={() => saving.mutate({ format })}
        loading={saving.isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        {strings.export}
      </Button>
    </Section>
  )
}

/** Undoing an import of more asks first. */
const MANY = 100

function PastImports() {
  const { data = [] } = useQuery(importsOptions)
  const undoing = useUndoImport()
  const sync = useQuery({ ...syncOptions, refetchInterval: false }).data?.sync
  const isSynced = sync !== undefined && sync !== null
  async function undo(id: number, imported: number) {
    const text = strings.undoManyText(imported) + (isSynced ? ` ${strings.undoEverywhere}` : '')
    const question = { title: strings.undoManyTitle, text, action: common.undo }
    if ((imported <= MANY && !isSynced) || (await confirm(question))) undoing.mutate(id)
  }
  if (data.length === 0) return null
  return (
    <ul className={classes.list} aria-label={strings.pastImports}>
      {data.map(({ id, at, imported, undone, joined }) => (
        <li key={id}>
          <Text size="sm">
            {joined ? strings.pastJoin(longDate(at), imported) : strings.pastImport(longDate(at), imported)}
          </Text>
          <Group gap="sm">
            {undone ? (
              <Text size="sm" c="dimmed">
                {strings.importUndone}
              </Text>
            ) : (
              <Button
                size="compact-sm"
                variant="light"
                aria-label={strings.undoImport(longDate(at), imported)}
                loading={undoing.isPending && undoing.variables === id}
                onClick={() => void undo(id, imported)}
              >
                {common.undo}
              </Button>
            )}
          </Group>
        </li>
      ))}
    </ul>
  )
}
