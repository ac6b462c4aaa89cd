import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { IconTrash } from '../../../ui/icons/icons.ts'
import { Loading, Nothing } from '../../../ui/placeholders.tsx'
import type { Pages } from './use-pages.ts'

export const TRASH_ICON = <IconTrash size={34} stroke={1.3} />

interface ListStateProps {
  pages: Pages
  /** Shown where the list has no bookmarks. */
  empty: ReactNode
  /** The list. */
  children: ReactNode
}

/** A list, or that it failed, is on its way or is empty. */
export function ListState({ pages, empty, children }: ListStateProps) {
  if (pages.failed) {
    return (
      <Nothing
        icon={null}
        title={t`The bookmarks could not be loaded.`}
        action={{ label: t`Try again`, run: pages.retry }}
      />
    )
  }
  if (!pages.first) return <Loading />
  return pages.count > 0 ? children : empty
}
