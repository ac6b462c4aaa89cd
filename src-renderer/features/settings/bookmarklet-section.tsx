import { Anchor, Text } from '@mantine/core'
import { bookmarklet as strings } from '../../strings/bookmarklet.ts'
import { Command } from '../../ui/command.tsx'
import { IconBookmark } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { BOOKMARKLET } from './bookmarklet.ts'
import { Section } from './section.tsx'

/** A bookmark for the browser that hands the page it is clicked on to quick capture. */
export function BookmarkletSection() {
  return (
    <Section id="bookmarklet" title={strings.title}>
      <Text size="sm">{strings.text}</Text>
      <Anchor
        // React lets no script into an address; a bookmarklet is one.
        ref={(link) => link?.setAttribute('href', BOOKMARKLET)}
        draggable
        onClick={(event) => {
          event.preventDefault()
          notify(strings.drag)
        }}
        style={{ alignSelf: 'flex-start', display: 'inline-flex', gap: 6, alignItems: 'center', cursor: 'grab' }}
      >
        <IconBookmark size={16} stroke={1.7} />
        {strings.name}
      </Anchor>
      <Text size="sm" c="dimmed">
        {strings.copy}
      </Text>
      <Command text={BOOKMARKLET} label={strings.code} />
    </Section>
  )
}
