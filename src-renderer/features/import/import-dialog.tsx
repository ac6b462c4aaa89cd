import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { type ImportReport, type ImportUndone, shareDone } from '../../../src-main/contract/import-report.ts'
import { importProgressOptions } from '../../api/service-queries.ts'
import { WorkNotice } from '../../api/work-notice.tsx'
import { number, percent } from '../../lib/locale.ts'
import { closeDialog } from '../../shared/dialogs.ts'
import { Dialog, type DialogState } from '../../ui/form-modal.tsx'
import { IconFileImport } from '../../ui/icons/icons.ts'
import { Counts, Rejects, ReportNotes } from './import-report.tsx'
import { useImport } from './use-import.ts'

/** Imports a bookmark file: shows a preview, then the progress, then the report. */
export function ImportDialog({ opened, onClose, file }: DialogState & { file: File | undefined }) {
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t`Import bookmarks`}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Import file={file} onBusy={setBusy} />
    </Dialog>
  )
}

function Import({ file, onBusy }: { file: File | undefined; onBusy: (busy: boolean) => void }) {
  const { step, busy, cancelling, choose, run, back, cancel, undo } = useImport(file)
  useEffect(() => onBusy(busy), [busy, onBusy])
  switch (step.at) {
    case 'choose':
      return <Choose problem={step.problem} onChoose={choose} />
    case 'reading':
    case 'importing':
      return <Running {...step} cancelling={cancelling} onCancel={cancel} />
    case 'preview':
      return <Preview report={step.report} name={step.file.name} onRun={run} onBack={back} />
    case 'done':
      return <Done {...step} onUndo={undo} onBack={back} />
  }
}

function Choose({ problem, onChoose }: { problem: string | undefined; onChoose: (file: File) => void }) {
  return (
    <Stack>
      <Stack
        align="center"
        gap="0.75rem"
        px="1.5rem"
        py="2rem"
        bd="2px dashed var(--earmark-line)"
        bdrs={12}
        ta="center"
      >
        <IconFileImport size={34} stroke={1.3} />
        <Text fw={600}>{t`Drop a bookmark file here`}</Text>
        <FileButton onChange={(file) => file && onChoose(file)}>
          {(props) => (
            <Button {...props} data-autofocus>
              {t`Choose a file`}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          <Trans>
            Exports of any browser (HTML), Chrome’s Bookmarks file, Firefox’s backups, Pocket, Instapaper, Pinboard,
            Raindrop, Karakeep, Linkwarden, wallabag, Omnivore, OneTab, Earmark, a CSV file with a column “url”, or a
            list of addresses. You see a preview first.
          </Trans>
        </Text>
      </Stack>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => closeDialog()}>
          {t`Cancel`}
        </Button>
      </Group>
    </Stack>
  )
}

interface RunningProps {
  at: 'reading' | 'importing'
  file: File
  name: string
  cancelling: boolean
  onCancel(): void
}

function Running({ at, file, name, cancelling, onCancel }: RunningProps) {
  const { data } = useQuery(importProgressOptions(name))
  const share = data ? shareDone(data, file.size) * 100 : 0
  return (
    <Stack>
      <Text fw={600} truncate>
        {at === 'reading' ? t`Reading ${file.name}` : t`Importing ${file.name}`}
      </Text>
      <Progress value={share} aria-label={t`Progress`} />
      <Text size="sm" c="dimmed">
        {at === 'reading'
          ? t`${percent(Math.floor(share) / 100)}, ${number(data?.imported ?? 0)} new so far`
          : t`${percent(Math.floor(share) / 100)}, ${number(data?.imported ?? 0)} imported so far`}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} loading={cancelling} data-autofocus>
          {t`Cancel`}
        </Button>
      </Group>
    </Stack>
  )
}

interface PreviewProps {
  report: ImportReport
  name: string
  onRun(): void
  onBack(): void
}

function Preview({ report, name, onRun, onBack }: PreviewProps) {
  return (
    <Stack>
      <Text fw={600} truncate>
        {name}
      </Text>
      <Counts
        report={report}
        labels={{
          imported: t`New`,
          duplicate: t`Already there`,
          repeated: t`Repeated in the file`,
          rejected: t`Cannot be imported`
        }}
      />
      <Rejects report={report} name={name} />
      <ReportNotes report={report} />
      {report.imported === 0 && <Text size="sm">{t`There is nothing new in this file.`}</Text>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => closeDialog()}>
          {t`Cancel`}
        </Button>
        <Button onClick={report.imported === 0 ? onBack : onRun} data-autofocus>
          {report.imported === 0
            ? t`Another file`
            : t`Import ${plural(report.imported, { one: '# bookmark', other: '# bookmarks' })}`}
        </Button>
      </Group>
    </Stack>
  )
}

interface DoneProps {
  report: ImportReport
  undone?: ImportUndone
  problem?: string
  /** The name of the undo that is running. */
  undoing?: string | undefined
  onUndo(id: number): void
  onBack(): void
}

function Done({ report, undone, problem, undoing, onUndo, onBack }: DoneProps) {
  const { undo, cancelled } = report
  return (
    <Stack>
      <Text fw={600} role="status">
        {cancelled
          ? report.imported === 0
            ? t`Stopped before anything was imported.`
            : t`Stopped after ${plural(report.imported, { one: '# bookmark', other: '# bookmarks' })}. What was imported stays, unless you undo the import.`
          : t`${plural(report.imported, { one: '# bookmark', other: '# bookmarks' })} imported.`}
      </Text>
      {report.problem && (
        <Alert color="red" role="alert">
          {t`Not all of the file was imported. ${report.problem.message}`}
        </Alert>
      )}
      <Counts
        report={report}
        labels={{
          imported: t`Imported`,
          duplicate: t`Already there`,
          repeated: t`Repeated in the file`,
          rejected: t`Not imported`
        }}
      />
      <Rejects report={report} name="import" />
      <ReportNotes report={report} />
      {undone && (
        <Text size="sm" role="status">
          {undone.cancelled
            ? t`Stopped: ${plural(undone.undone, { one: '# bookmark', other: '# bookmarks' })} moved to the trash, the rest is still there. Undo again to continue.`
            : t`${plural(undone.undone, { one: '# bookmark', other: '# bookmarks' })} moved to the trash${plural(undone.kept, { 0: '', other: '; # changed since and stay' })}.`}
        </Text>
      )}
      {undoing && <WorkNotice name={undoing} what={t`Undoing the import …`} stoppable />}
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="space-between" gap="sm">
        {undo !== undefined && (!undone || undone.cancelled) ? (
          <Group gap="sm">
            <Button variant="light" component={Link} href={`/?q=import:${undo}`} onClick={() => closeDialog()}>
              {t`Show them`}
            </Button>
            <Button variant="light" disabled={undoing !== undefined} onClick={() => onUndo(undo)}>
              {t`Undo the import`}
            </Button>
          </Group>
        ) : (
          <span />
        )}
        <Group gap="sm">
          <Button variant="default" onClick={onBack}>
            {t`Another file`}
          </Button>
          <Button onClick={() => closeDialog()} data-autofocus>
            {t`Close`}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
