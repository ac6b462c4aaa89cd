import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { openable, titleOf } from '../../../lib/labels.ts'
import { IconCopy, IconExternalLink, IconPencil, IconRestore, IconTrash } from '../../../ui/icons/icons.ts'
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
          title={t`Open`}
          aria-label={t`Open ${title}`}
        >
          <IconExternalLink {...ICON} />
        </a>
      )}
      {picture === null && (
        <Action act="copy" value={url ?? content} hint={t`Copy`} label={t`Copy ${title}`}>
          <IconCopy {...ICON} />
        </Action>
      )}
      <Action act="edit" hint={t`Edit`} label={t`Edit ${title}`}>
        <IconPencil {...ICON} />
      </Action>
      <Action act="delete" hint={t`Delete`} label={t`Delete ${title}`}>
        <IconTrash {...ICON} />
      </Action>
    </>
  )
}

function Deleted({ bookmark }: { bookmark: ShownBookmark }) {
  const title = titleOf(bookmark)
  return (
    <>
      <Action act="restore" hint={t`Restore`} label={t`Restore ${title}`}>
        <IconRestore {...ICON} />
      </Action>
      <Action act="delete" hint={t`Delete permanently`} label={t`Delete ${title} permanently`}>
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
