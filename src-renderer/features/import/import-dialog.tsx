import { Alert, Button, FileButton, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ImportReport, type ImportUndone, shareDone } from '../../../src-main/contract/import-report.ts'
import { stopImporting, useImporting } from '../../shared/importing.ts'
import { WorkNotice } from '../../shared/work-notice.tsx'
import { common } from '../../strings/common.ts'
import { imports as strings } from '../../strings/imports.ts'
import { IconFileImport } from '../../ui/icons/icons.ts'
import classes from './import-dialog.module.css'
import { Rejects } from './rejects.tsx'
import { progressOptions, useImport } from './use-import.ts'

/** Imports a bookmark file: says first what would come in, then how far it is, then what came in. */
export function ImportDialog() {
  const importing = useImporting()
  const [busy, setBusy] = useState(false)
  return (
    <Modal
      opened={importing !== undefined}
      onClose={stopImporting}
      title={strings.title}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      {importing && <Import file={importing.file} onBusy={setBusy} />}
    </Modal>
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
      <div className={classes.zone}>
        <IconFileImport size={34} stroke={1.3} />
        <Text fw={600}>{strings.drop}</Text>
        <FileButton onChange={(file) => file && onChoose(file)}>
          {(props) => (
            <Button {...props} data-autofocus>
              {strings.choose}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {strings.formats}
        </Text>
      </div>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={stopImporting}>
          {common.cancel}
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
  const { data } = useQuery(progressOptions(name))
  const share = data ? shareDone(data, file.size) * 100 : 0
  return (
    <Stack>
      <Text fw={600} truncate>
        {strings[at](file.name)}
      </Text>
      <Progress value={share} aria-label={strings.progress} />
      <Text size="sm" c="dimmed">
        {strings.sofar(Math.floor(share), data?.imported ?? 0, at === 'reading')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} loading={cancelling} data-autofocus>
          {common.cancel}
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
      <Counts report={report} labels={strings.previewed} />
      <Rejects report={report} name={name} />
      <ReportNotes report={report} />
      {report.imported === 0 && <Text size="sm">{strings.nothingNew}</Text>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={stopImporting}>
          {common.cancel}
        </Button>
        <Button onClick={report.imported === 0 ? onBack : onRun} data-autofocus>
          {report.imported === 0 ? strings.another : strings.run(report.imported)}
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
        {cancelled ? strings.cancelled(report.imported) : strings.done(report.imported)}
      </Text>
      {report.problem && (
        <Alert color="red" role="alert">
          {strings.endedEarly(report.problem.message)}
        </Alert>
      )}
      <Counts report={report} labels={strings.imported} />
      <Rejects report={report} name={strings.rejectsName} />
      <ReportNotes report={report} />
      {undone && (
        <Text size="sm" role="status">
          {undone.cancelled ? strings.undoneInPart(undone.undone) : strings.undone(undone.undone, undone.kept)}
        </Text>
      )}
      {undoing && <WorkNotice name={undoing} what={strings.undoing} stoppable />}
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="space-between" gap="sm">
        {undo !== undefined && (!undone || undone.cancelled) ? (
          <Button variant="light" disabled={undoing !== undefined} onClick={() => onUndo(undo)}>
            {strings.undo}
          </Button>
        ) : (
          <span />
        )}
        <Group gap="sm">
          <Button variant="default" onClick={onBack}>
            {strings.another}
          </Button>
          <Button onClick={stopImporting} data-autofocus>
            {common.close}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

interface CountsProps {
  report: ImportReport
  labels: Record<'imported' | 'duplicate' | 'repeated' | 'rejected', string>
}

/** Every record of a file, in one count; repeats only where there are some. */
function Counts({ report: { imported, duplicate, repeated = 0, rejected }, labels }: CountsProps) {
  const counts = { imported, duplicate: duplicate - repeated, repeated, rejected }
  const shown = (['imported', 'duplicate', 'repeated', 'rejected'] as const).filter(
    (name) => name !== 'repeated' || repeated
  )
  return (
    <dl className={classes.counts}>
      {shown.map((name) => (
        <div key={name}>
          <dt>{labels[name]}</dt>
          <dd>{common.number(counts[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Says what was added to other bookmarks, what was left out, and how the file's text was read. */
function ReportNotes({ report: { merged = 0, dropped = {}, skipped = {}, encodings = [] } }: { report: ImportReport }) {
  const notes = [
    merged > 0 ? strings.merged(merged) : '',
    strings.skipped(Object.entries(skipped)),
    strings.dropped(Object.entries(dropped)),
    strings.encodings(encodings)
  ]
  return notes.filter(Boolean).map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ))
}
