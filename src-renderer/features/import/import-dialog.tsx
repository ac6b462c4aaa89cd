import { Alert, Button, FileButton, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ImportReport, type ImportUndone, shareDone } from '../../../src-main/contract/import-report.ts'
import { importProgressOptions } from '../../api/service-queries.ts'
import { WorkNotice } from '../../api/work-notice.tsx'
import { closeDialog, useDialog } from '../../shared/dialogs.ts'
import { common } from '../../strings/common.ts'
import { imports as strings } from '../../strings/imports.ts'
import { IconFileImport } from '../../ui/icons/icons.ts'
import classes from './import-dialog.module.css'
import { useImport } from './use-import.ts'

const close = () => closeDialog('import')

/** Imports a bookmark file: says first what would come in, then how far it is, then what came in. */
export function ImportDialog() {
  const importing = useDialog('import')
  const [busy, setBusy] = useState(false)
  return (
    <Modal
      opened={importing !== undefined}
      onClose={close}
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
        <Button variant="default" onClick={close}>
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
  const { data } = useQuery(importProgressOptions(name))
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
        <Button variant="default" onClick={close}>
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
          <Button onClick={close} data-autofocus>
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

/** Rejected records that are shown; the list that can be saved has more. */
const SHOWN = 100

/** The records that cannot be imported, each with why, and a way to keep their list. */
function Rejects({ report, name }: { report: ImportReport; name: string }) {
  const { rejects, rejected } = report
  if (rejected === 0) return null
  const lines = rejects.map(({ file, line, name, reason }) => strings.reject(line, name, reason, file))
  const more = rejected - rejects.length
  const save = () =>
    saveText(strings.rejectsFile(name), [...lines, ...(more > 0 ? [strings.more(more)] : []), ''].join('\n'))
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={600}>
          {strings.rejects(rejected)}
        </Text>
        <Button size="compact-sm" variant="light" onClick={save}>
          {strings.saveRejects}
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and only what has the focus scrolls by keys */}
      <ul className={classes.rejects} tabIndex={0} aria-label={strings.rejects(rejected)}>
        {lines.slice(0, SHOWN).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>{text}</li>
        ))}
        {rejected > SHOWN && <li>{strings.more(rejected - Math.min(SHOWN, lines.length))}</li>}
      </ul>
    </div>
  )
}

/** Saves a text as a file, where the browser keeps what it downloads. */
function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then, and holds what it needs.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
