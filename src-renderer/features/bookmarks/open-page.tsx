import { t } from '@lingui/core/macro'
import { ActionIcon, Tooltip } from '@mantine/core'
import type { ShownBookmark } from '../../api/client.ts'
import { notedOpening } from '../../api/mutations.ts'
import { openable } from '../../lib/labels.ts'
import { IconExternalLink } from '../../ui/icons/icons.ts'

/** Opens the page of a bookmark in a tab of its own. Nothing where its address is none that can be opened. */
export function OpenPage({ bookmark: { id, url } }: { bookmark: Pick<ShownBookmark, 'id' | 'url'> }) {
  const address = openable(url)
  if (address === undefined) return null
  return (
    <Tooltip label={t`Open in a new tab`}>
      <ActionIcon
        component="a"
        href={address}
        target="_blank"
        rel="noreferrer"
        variant="subtle"
        color="gray"
        aria-label={t`Open in a new tab`}
        {...notedOpening(id)}
      >
        <IconExternalLink size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
