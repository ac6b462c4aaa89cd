/** The report of an import or of its preview: counts, notes, and the records that cannot be imported. */
import { plural, t } from '@lingui/core/macro'
import { Box, Button, Group, Text } from '@mantine/core'
import type { Dropped, ImportReport } from '../../../src-main/contract/import-report.ts'
import { list, number } from '../../lib/locale.ts'

interface CountsProps {
  report: ImportReport
  labels: Record<'imported' | 'duplicate' | 'repeated' | 'rejected', string>
}

/** The numbers of records of each kind. Repeated ones are shown only if there are some. */
export function Counts({ report: { imported, duplicate, repeated = 0, rejected }, labels }: CountsProps) {
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

type Sentence = (count: number) => string

const SHORTENED: Partial<Record<string, Sentence>> = {
  'ends of long descriptions': (count) =>
    plural(count, { one: '# description was shortened.', other: '# descriptions were shortened.' }),
  'ends of long highlights': (count) =>
    plural(count, { one: '# highlight was shortened.', other: '# highlights were shortened.' }),
  'ends of long tags': (count) => plural(count, { one: '# tag was shortened.', other: '# tags were shortened.' }),
  'ends of long texts': (count) => plural(count, { one: '# text was shortened.', other: '# texts were shortened.' }),
  'ends of long titles': (count) => plural(count, { one: '# title was shortened.', other: '# titles were shortened.' })
} satisfies Partial<Record<Dropped, Sentence>>

/** Notes on merged and skipped records, on dropped details, and on the encoding of the file. */
export function ReportNotes({ report }: { report: ImportReport }) {
  const { merged = 0, highlighted = 0, skipped = {}, encodings = [] } = report
  const kinds = Object.entries(report.dropped ?? {})
  const dropped = Object.fromEntries(kinds.filter(([kind]) => !(kind in SHORTENED)))
  const notes = [
    ...kinds.map(([kind, count]) => SHORTENED[kind]?.(count) ?? false),
    merged > 0 &&
      t`${plural(merged, { one: '# entry', other: '# entries' })} for pages that are in this file twice. Title and description were added to the bookmark’s description.`,
    highlighted > 0 &&
      plural(highlighted, {
        one: '# bookmark that was there already got highlights.',
        other: '# bookmarks that were there already got highlights.'
      }),
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

/** Maximum number of rejected records that are shown. The list that can be saved has more. */
const SHOWN = 100

/** Returns a rejected record with its reason. A record without a line number is named by its title or address. */
function rejectLine({ file, line, name, reason }: ImportReport['rejects'][number]): string {
  const record = line === undefined ? name && `“${name}”` : t`line ${number(line)}`
  return `${[file, record].filter(Boolean).join(', ') || t`untitled`}: ${reason}`
}

/** Maximum number of reasons that are counted. */
const MAX_REASONS = 3

/** Returns the most common reasons; `undefined` if each record has another, because the list shows them already. */
function countReasons(rejects: ImportReport['rejects']): string | undefined {
  const counts = new Map<string, number>()
  for (const { reason } of rejects) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  if (counts.size === rejects.length) return undefined
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_REASONS)
  return listCounts(Object.fromEntries(common))
}

/** The records that cannot be imported, each with the reason, and a button that saves their list. */
export function Rejects({ report, name }: { report: ImportReport; name: string }) {
  const { rejects, rejected } = report
  if (rejected === 0) return null
  const label = t`${plural(rejected, { one: '# entry', other: '# entries' })} cannot be imported`
  const lines = rejects.map(rejectLine)
  const reasons = countReasons(rejects)
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
      {reasons !== undefined && (
        <Text size="sm" mb={6} style={{ overflowWrap: 'anywhere' }}>
          {reasons}
        </Text>
      )}
      {/* It can have the focus, so that keys scroll it. */}
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

/** Downloads a text as a file. */
function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By then the download has begun, and no longer needs the address.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
