import { Text } from '@mantine/core'
import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { imports as strings } from '../../strings/imports.ts'

/** Says what was added to other bookmarks, and for which kinds of data in the file bookmarks have no field. */
export function ReportNotes({ report: { merged = 0, dropped = {} } }: { report: ImportReport }) {
  const counts = Object.entries(dropped)
  const notes = [merged > 0 ? strings.merged(merged) : '', counts.length > 0 ? strings.dropped(counts) : '']
  return notes.filter(Boolean).map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ))
}
