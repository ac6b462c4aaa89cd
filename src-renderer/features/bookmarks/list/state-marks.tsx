import type { State } from '../../../../src-main/contract/tag-names.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { IconArchive, IconStar } from '../../../ui/icons/icons.ts'
import { hasState } from '../states.ts'
import classes from './state-marks.module.css'

/** The states of a bookmark, before its title. */
export function StateMarks({ bookmark }: { bookmark: ShownBookmark }) {
  if (bookmark.tags.length === 0) return null
  const mark = (state: State, sign: React.ReactNode) =>
    hasState(bookmark, state) && (
      <span
        className={classes.mark}
        data-state={state}
        role="img"
        aria-label={strings.states[state]}
        title={strings.states[state]}
      >
        {sign}
      </span>
    )
  return (
    <>
      {mark('unread', <span className={classes.dot} />)}
      {mark('favorite', <IconStar size={14} stroke={1.8} />)}
      {mark('archived', <IconArchive size={14} stroke={1.8} />)}
    </>
  )
}
