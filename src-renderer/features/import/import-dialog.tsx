import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Box, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ImportReport, type ImportUndone, shareDone } from '../../../src-main/contract/import-report.ts'
import { importProgressOptions } from '../../api/service-queries.ts'
import { WorkNotice } from '../../api/work-notice.tsx'
import { list, number, percent } from '../../lib/locale.ts'
import { closeDialog } from '../../shared/dialogs.ts'
import { Dialog, type DialogState } from '../../ui/form-modal.tsx'
import { IconFileImport } from '../../ui/icons/icons.ts'
import { useImport } from './use-import.ts'

/** Imports a bookmark file: says first what would come in, then how far it is, then what came in. */
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
          <Button variant="light" disabled={undoing !== undefined} onClick={() => onUndo(undo)}>
            {t`Undo the import`}
          </Button>
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
    <Box
      component="dl"
      display="grid"
      m={0}
      style={{ gap: '0.75rem', gridTemplateColumns: 'repeat(auto-fit, minmax(7rem, 1fr))' }}
    >
      {shown.map((name) => (
        <Box key={name} px="0.9rem" py="0.7rem" bd="1px solid var(--earmark-line)" bdrs={10}>
          <Box component="dt" c="dimmed" fz="xs">
            {labels[name]}
          </Box>
          <Box component="dd" m={0} fz="xl" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {number(counts[name])}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

/** Says what was added to other bookmarks, what was left out, and how the file's text was read. */
function ReportNotes({ report: { merged = 0, dropped = {}, skipped = {}, encodings = [] } }: { report: ImportReport }) {
  const notes = [
    merged > 0 &&
      t`${plural(merged, { one: '# entry', other: '# entries' })} for pages that are in this file twice. Title and description were added to the bookmark’s description.`,
    Object.keys(skipped).length > 0 && t`Left out: ${listCounts(skipped)}.`,
    Object.keys(dropped).length > 0 && t`Details that are not kept: ${listCounts(dropped)}.`,
    encodings.length > 0 &&
      t`The text of the file was read as ${list.format(encodings)}. Check that letters look right.`
  ]
  return notes
    .filter((note) => note !== false)
    .map((note) => (
      <Text key={note} size="sm" c="dimmed">
        {note}
      </Text>
    ))
}

function listCounts(counts: Record<string, number>): string {
  return list.format(Object.entries(counts).map(([what, count]) => `${what} (${number(count)})`))
}

/** Rejected records that are shown; the list that can be saved has more. */
const SHOWN = 100

/** The title or address of a record stands for its line, if it has none. */
function rejectLine({ file, line, name, reason }: ImportReport['rejects'][number]): string {
  const record = line === undefined ? name && `“${name}”` : t`line ${number(line)}`
  return `${[file, record].filter(Boolean).join(', ') || t`untitled`}: ${reason}`
}

/** The records that cannot be imported, each with why, and a way to keep their list. */
function Rejects({ report, name }: { report: ImportReport; name: string }) {
  const { rejects, rejected } = report
  if (rejected === 0) return null
  const label = t`${plural(rejected, { one: '# entry', other: '# entries' })} cannot be imported`
  const lines = rejects.map(rejectLine)
  const more = rejected - rejects.length
  const save = () =>
    saveText(`${name}-rejected.txt`, [...lines, ...(more > 0 ? [t`and ${number(more)} more`] : []), ''].join('\n'))
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Button size="compact-sm" variant="light" onClick={save}>
          {t`Save this list`}
        </Button>
      </Group>
      {/* It has the focus, because only what has it scrolls by keys. */}
      <Box
        component="ul"
        mah="11rem"
        m={0}
        px="0.75rem"
        py="0.5rem"
        bd="1px solid var(--earmark-line)"
        bdrs={10}
        fz="sm"
        style={{ overflowY: 'auto', listStyle: 'none', overflowWrap: 'anywhere' }}
        tabIndex={0}
        aria-label={label}
      >
        {lines.slice(0, SHOWN).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>{text}</li>
        ))}
        {rejected > SHOWN && <li>{t`and ${number(rejected - Math.min(SHOWN, lines.length))} more`}</li>}
      </Box>
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
