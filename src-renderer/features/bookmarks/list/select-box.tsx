// biome-ignore-all lint/a11y/useSemanticElements: a table has rows that are all there, and no cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the cell that keys act on
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import classes from './select-box.module.css'

/** Chooses a bookmark. It covers what stands for it, and shows itself when pointed at or chosen. */
export function SelectBox({ title, selected }: { title: string; selected: boolean }) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={selected}
      aria-label={strings.select(title)}
      className={classes.box}
      data-act="select"
      tabIndex={-1}
    />
  )
}
