import { msg, t } from '@lingui/core/macro'
import { ActionIcon, Group, SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { i18n } from '../../../lib/locale.ts'
import { IconMinus, IconPlus } from '../../../ui/icons/icons.ts'

/** The appearance of texts. */
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

/** Returns the appearance of texts, which is stored in the browser, and a function that changes it. */
export function useReadingLook(): [ReadingLook, (change: Partial<ReadingLook>) => void] {
  const [look, setLook] = useLocalStorage({
    key: 'earmark-reading',
    defaultValue: DEFAULT,
    deserialize: (text) => readLook(text ?? null),
    getInitialValueInEffect: false
  })
  return [look, (change) => setLook({ ...look, ...change })]
}

/** Reads the stored appearance. Invalid values are replaced by defaults. */
export function readLook(text: string | null): ReadingLook {
  const { width, size, letters } = parseLook(text)
  return {
    width: WIDTHS.find((value) => value === width) ?? DEFAULT.width,
    size: SIZES.find((value) => value === size) ?? DEFAULT.size,
    letters: LETTERS.find((value) => value === letters) ?? DEFAULT.letters
  }
}

/** Returns the next larger or smaller size, or the same size if there is none. */
export function otherSize(size: ReadingLook['size'], step: 1 | -1): ReadingLook['size'] {
  return SIZES[SIZES.indexOf(size) + step] ?? size
}

function parseLook(text: string | null): Partial<Record<keyof ReadingLook, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Buttons that change the font, the width and the size of texts. */
export function LookBar() {
  const [{ width, size, letters }, changeLook] = useReadingLook()
  return (
    <Group gap="sm" role="group" aria-label={t`Text appearance`}>
      <SegmentedControl
        size="xs"
        aria-label={t`Font`}
        value={letters}
        data={LETTERS.map((value) => ({ value, label: i18n._(FONT_NAMES[value]) }))}
        onChange={(value) => changeLook({ letters: value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={t`Width`}
        value={width}
        data={WIDTHS.map((value) => ({ value, label: i18n._(WIDTH_NAMES[value]) }))}
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

const FONT_NAMES = { sans: msg`Sans`, serif: msg`Serif` }

const WIDTH_NAMES = { narrow: msg`Narrow`, medium: msg`Medium`, wide: msg`Wide` }
