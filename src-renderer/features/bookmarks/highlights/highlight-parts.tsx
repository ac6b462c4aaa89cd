import { msg, t } from '@lingui/core/macro'
import { Box, Group, Text, UnstyledButton } from '@mantine/core'
import { HIGHLIGHT_COLORS, type HighlightColor } from '../../../../src-main/contract/bookmark.ts'
import type { ShownHighlight } from '../../../api/highlights.ts'
import { i18n } from '../../../lib/locale.ts'
import classes from './highlights.module.css'

const COLOR_NAMES = { yellow: msg`Yellow`, green: msg`Green`, blue: msg`Blue`, pink: msg`Pink` }

interface ColorButtonsProps {
  chosen?: HighlightColor | undefined
  onChoose(color: HighlightColor): void
}

/** A button for each color of highlights. */
export function ColorButtons({ chosen, onChoose }: ColorButtonsProps) {
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label={t`Color`}>
      {HIGHLIGHT_COLORS.map((color) => (
        <UnstyledButton
          key={color}
          className={classes.color ?? ''}
          data-color={color}
          aria-label={i18n._(COLOR_NAMES[color])}
          aria-pressed={color === chosen}
          onClick={() => onChoose(color)}
        />
      ))}
    </Group>
  )
}

/** The quote of a highlight, with its color at the side, and its note. */
export function HighlightText({ highlight }: { highlight: Pick<ShownHighlight, 'quote' | 'note' | 'color'> }) {
  const { quote, note, color } = highlight
  return (
    <Box component="span" className={classes.highlight ?? ''} data-color={color}>
      <span className={classes.sign} role="img" aria-label={i18n._(COLOR_NAMES[color])} />
      <Text component="span" display="block" size="sm" lineClamp={6} dir="auto" style={{ whiteSpace: 'pre-line' }}>
        {quote}
      </Text>
      {note !== '' && (
        <Text component="span" display="block" size="sm" c="dimmed" lineClamp={4} dir="auto" mt={2}>
          {note}
        </Text>
      )}
    </Box>
  )
}
