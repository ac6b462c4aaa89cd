import type { ReactNode } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { titleOf } from '../../../lib/labels.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { IconCopy, IconExternalLink, IconPencil, IconRestore, IconTrash } from '../../../ui/icons/icons.ts'
import { openable } from '../look.ts'
import type { Act } from './item.tsx'
import classes from './row-actions.module.css'

const ICON = { size: 17, stroke: 1.6, 'aria-hidden': true }

/** The actions for the bookmark under the pointer, in the place of its date. Keys do all of them, too. */
export function RowActions({ bookmark }: { bookmark: ShownBookmark }) {
  return (
    <div className={classes.actions}>
      {bookmark.deletedAt === null ? <Kept bookmark={bookmark} /> : <Deleted bookmark={bookmark} />}
    </div>
  )
}

function Kept({ bookmark }: { bookmark: ShownBookmark }) {
  const { url, content, picture } = bookmark
  const address = openable(url)
  const title = titleOf(bookmark)
  return (
    <>
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
        <Action act="copy" value={url ?? content} hint={strings.row.copyHint} label={strings.row.copy(title)}>
          <IconCopy {...ICON} />
        </Action>
      )}
      <Action act="edit" hint={strings.row.editHint} label={strings.row.edit(title)}>
        <IconPencil {...ICON} />
      </Action>
      <Action act="delete" hint={strings.delete} label={strings.row.delete(title)}>
        <IconTrash {...ICON} />
      </Action>
    </>
  )
}

function Deleted({ bookmark }: { bookmark: ShownBookmark }) {
  const title = titleOf(bookmark)
  return (
    <>
      <Action act="restore" hint={strings.restore} label={strings.row.restore(title)}>
        <IconRestore {...ICON} />
      </Action>
      <Action act="delete" hint={strings.deleteForEver} label={strings.row.deleteForEver(title)}>
        <IconTrash {...ICON} />
      </Action>
    </>
  )
}

interface ActionProps {
  act: Act
  value?: string
  hint: string
  label: string
  children: ReactNode
}

function Action({ act, value, hint, label, children }: ActionProps) {
  return (
    <button type="button" tabIndex={-1} data-act={act} data-value={value} title={hint} aria-label={label}>
      {children}
    </button>
  )
}
