import type { ImportReport } from '../../../src-main/contract/import-report.ts'
import { common } from '../../strings/common.ts'
import classes from './import-dialog.module.css'

interface CountsProps {
  report: ImportReport
  labels: Record<'imported' | 'duplicate' | 'rejected', string>
}

/** Every record of a file, in one of three counts. */
export function Counts({ report, labels }: CountsProps) {
  return (
    <dl className={classes.counts}>
      {(['imported', 'duplicate', 'rejected'] as const).map((name) => (
        <div key={name}>
          <dt>{labels[name]}</dt>
          <dd>{common.number(report[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
