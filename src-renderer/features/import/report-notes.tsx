import { Text } from '@mantine/core'
import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { imports as strings } from '../../strings/imports.ts'

/** The kinds of data in the file that bookmarks have no room for. */
export function NotKept({ report: { dropped = {} } }: { report: ImportReport }) {
  const counts = Object.entries(dropped)
  if (counts.length === 0) return null
  return (
    <Text size="sm" c="dimmed">
      {strings.dropped(counts)}
    </Text>
  )
}
