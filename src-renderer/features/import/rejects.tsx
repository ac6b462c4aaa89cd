import { Button, Group, Text } from '@mantine/core'
import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { imports as strings } from '../../strings/imports.ts'
import { saveText } from '../../ui/save-text.ts'
import classes from './import-dialog.module.css'

/** Rejected records that are shown; the list that can be saved has more. */
const SHOWN = 100

/** The records that cannot be imported, each with why, and a way to keep their list. */
export function Rejects({ report, name }: { report: ImportReport; name: string }) {
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
