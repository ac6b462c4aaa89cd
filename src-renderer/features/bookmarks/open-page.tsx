import { ActionIcon, Tooltip } from '@mantine/core'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconExternalLink } from '../../ui/icons/icons.ts'
import { openable } from './look.ts'

/** Opens the page at an address in a tab of its own. Nothing where the address is none that can be opened. */
export function OpenPage({ url }: { url: string | null }) {
  const address = openable(url)
  if (address === undefined) return null
  return (
    <Tooltip label={strings.openNew}>
      <ActionIcon
        component="a"
        href={address}
        target="_blank"
        rel="noreferrer"
        variant="subtle"
        color="gray"
        aria-label={strings.openNew}
      >
        <IconExternalLink size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
