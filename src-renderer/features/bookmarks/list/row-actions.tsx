import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { IconCopy, IconExternalLink, IconPencil, IconTrash } from '../../../ui/icons/icons.ts'
import { openable } from '../look.ts'
import { titleOf } from './item-title.tsx'
import classes from './row-actions.module.css'

const ICON = { size: 17, stroke: 1.6, 'aria-hidden': true }

/** What can be done to the bookmark under the pointer, where its date is. Keys do all of it, too. */
export function RowActions({ bookmark }: { bookmark: ShownBookmark }) {
  const { url, content, picture } = bookmark
  const address = openable(url)
  const title = titleOf(bookmark)
  return (
    <div className={classes.actions}>
      {address && (
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          tabIndex={-1}
          data-act="open"
          title={strings.open}
          aria-label={strings.row.open(title)}
        >
          <IconExternalLink {...ICON} />
        </a>
      )}
      {picture === null && (
        <button
          type="button"
          tabIndex={-1}
          data-act="copy"
          data-value={url ?? content}
          title={strings.row.copyHint}
          aria-label={strings.row.copy(title)}
        >
          <IconCopy {...ICON} />
        </button>
      )}
      <button
        type="button"
        tabIndex={-1}
        data-act="edit"
        title={strings.row.editHint}
        aria-label={strings.row.edit(title)}
      >
        <IconPencil {...ICON} />
      </button>
      <button
        type="button"
        tabIndex={-1}
        data-act="delete"
        title={strings.delete}
        aria-label={strings.row.delete(title)}
      >
        <IconTrash {...ICON} />
      </button>
    </div>
  )
}
