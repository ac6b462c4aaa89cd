import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Text } from '@mantine/core'
import { Command } from '../../ui/command.tsx'
import { IconBookmark } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { BOOKMARKLET } from './bookmarklet.ts'
import { Section } from './section.tsx'

/** A bookmark for the browser that hands the page it is clicked on to quick capture. */
export function BookmarkletSection() {
  return (
    <Section id="bookmarklet" title={t`Capture from a browser`}>
      <Text size="sm">
        <Trans>
          Drag this link to your browser’s bookmarks bar. On any page, click it to open quick capture with the page’s
          address, title and your selection. Press Enter to save. It needs the installed desktop app; the browser asks
          once whether it may open it.
        </Trans>
      </Text>
      <Anchor
        // React lets no script into an address; a bookmarklet is one.
        ref={(link) => link?.setAttribute('href', BOOKMARKLET)}
        draggable
        onClick={(event) => {
          event.preventDefault()
          notify(t`Drag this link to your bookmarks bar.`)
        }}
        style={{ alignSelf: 'flex-start', display: 'inline-flex', gap: 6, alignItems: 'center', cursor: 'grab' }}
      >
        <IconBookmark size={16} stroke={1.7} />
        {t`Save to Earmark`}
      </Anchor>
      <Text size="sm" c="dimmed">
        {t`If you can’t drag it, create a bookmark in the browser and paste this as its address:`}
      </Text>
      <Command text={BOOKMARKLET} label={t`Bookmarklet`} />
    </Section>
  )
}
