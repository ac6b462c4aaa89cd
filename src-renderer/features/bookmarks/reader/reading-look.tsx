import { msg, t } from '@lingui/core/macro'
import { ActionIcon, Group, SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { i18n } from '../../../lib/locale.ts'
import { IconMinus, IconPlus } from '../../../ui/icons/icons.ts'

/** How texts are shown. */
interface ReadingLook {
  width: (typeof WIDTHS)[number]
  size: (typeof SIZES)[number]
  letters: (typeof LETTERS)[number]
}

const WIDTHS = ['narrow', 'medium', 'wide'] as const
const LETTERS = ['sans', 'serif'] as const
/** In pixels. */
const SIZES = [15, 17, 19, 21, 24, 28] as const

const DEFAULT: ReadingLook = { width: 'medium', size: 19, letters: 'serif' }

/** Returns how texts are shown on this machine, and a function that changes it. */
export function useReadingLook(): [ReadingLook, (change: Partial<ReadingLook>) => void] {
  const [look, setLook] = useLocalStorage({
    key: 'earmark-reading',
    defaultValue: DEFAULT,
    deserialize: (text) => readLook(text ?? null),
    getInitialValueInEffect: false
  })
  return [look, (change) => setLook({ ...look, ...change })]
}

/** Reads the stored look; values that cannot be understood get their defaults. */
export function readLook(text: string | null): ReadingLook {
  const { width, size, letters } = parsed(text)
  return {
    width: WIDTHS.find((one) => one === width) ?? DEFAULT.width,
    size: SIZES.find((one) => one === size) ?? DEFAULT.size,
    letters: LETTERS.find((one) => one === letters) ?? DEFAULT.letters
  }
}

/** The next size, or the same where there is none. */
export function otherSize(size: ReadingLook['size'], step: 1 | -1): ReadingLook['size'] {
  return SIZES[SIZES.indexOf(size) + step] ?? size
}

function parsed(text: string | null): Partial<Record<keyof ReadingLook, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** How wide, large and in which letters texts are read. */
export function LookBar() {
  const [{ width, size, letters }, changeLook] = useReadingLook()
  return (
    <Group gap="sm" role="group" aria-label={t`Text appearance`}>
      <SegmentedControl
        size="xs"
        aria-label={t`Font`}
        value={letters}
        data={LETTERS.map((value) => ({ value, label: i18n._(LETTERS_OF[value]) }))}
        onChange={(value) => changeLook({ letters: value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={t`Width`}
        value={width}
        data={WIDTHS.map((value) => ({ value, label: i18n._(WIDTH_OF[value]) }))}
        onChange={(value) => changeLook({ width: value })}
      />
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          aria-label={t`Smaller text`}
          disabled={otherSize(size, -1) === size}
          onClick={() => changeLook({ size: otherSize(size, -1) })}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t`Larger text`}
          disabled={otherSize(size, 1) === size}
          onClick={() => changeLook({ size: otherSize(size, 1) })}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Group>
    </Group>
  )
}

const LETTERS_OF = { sans: msg`Sans`, serif: msg`Serif` }

const WIDTH_OF = { narrow: msg`Narrow`, medium: msg`Medium`, wide: msg`Wide` }
