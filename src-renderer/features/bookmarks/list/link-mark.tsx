import type { LinkMark as Mark } from '../../../../src-main/contract/link-check.ts'
import { linkChecks as strings } from '../../../strings/links.ts'
import classes from './link-mark.module.css'

/** Says that a bookmark's page is gone, or lies elsewhere. */
export function LinkMark({ mark }: { mark: Mark | null }) {
  return mark && <span className={classes[mark]}>{strings.marks[mark]}</span>
}
