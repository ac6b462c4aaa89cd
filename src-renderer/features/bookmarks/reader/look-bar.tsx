import { ActionIcon, Group, SegmentedControl } from '@mantine/core'
import { useStore } from '../../../shared/store.ts'
import { page as strings } from '../../../strings/page.ts'
import { IconMinus, IconPlus } from '../../../ui/icons/icons.ts'
import { changeLook, LETTERS, otherSize, readingLook, WIDTHS } from './reading-look.ts'

/** How wide, large and in which letters texts are read. */
export function LookBar() {
  const { width, size, letters } = useStore(readingLook)
  return (
    <Group gap="sm" role="group" aria-label={strings.look}>
      <SegmentedControl
        size="xs"
        aria-label={strings.letters}
        value={letters}
        data={LETTERS.map((value) => ({ value, label: strings.lettersOf[value] }))}
        onChange={(value) => changeLook({ letters: value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={strings.width}
        value={width}
        data={WIDTHS.map((value) => ({ value, label: strings.widthOf[value] }))}
        onChange={(value) => changeLook({ width: value })}
      />
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          aria-label={strings.smaller}
          disabled={otherSize(size, -1) === size}
          onClick={() => changeLook({ size: otherSize(size, -1) })}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={strings.larger}
          disabled={otherSize(size, 1) === size}
          onClick={() => changeLook({ size: otherSize(size, 1) })}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Group>
    </Group>
  )
}
