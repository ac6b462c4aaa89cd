import { t } from '@lingui/core/macro'
import { Anchor, Box, CloseButton, Group, Text, Title, UnstyledButton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { HighlightText } from '../highlights/highlight-parts.tsx'
import shared from '../highlights/highlights.module.css'
import { HighlightCard } from './highlight-card.tsx'
import type { ReaderHighlights } from './highlights.ts'
import classes from './reader.module.css'

interface HighlightListProps {
  highlights: ReaderHighlights
  onClose(): void
}

/** The highlights in the order of the text, then those that are no longer in it. Each can be opened. */
export function HighlightList({ highlights, onClose }: HighlightListProps) {
  const { placed } = highlights
  const inText = placed.filter(({ place }) => place)
  const missing = placed.filter(({ place }) => !place)
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <Box component="aside" ref={box} tabIndex={-1} className={classes.list ?? ''} aria-label={t`Highlights`}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="sm">
          {t`Highlights`}
        </Title>
        <CloseButton size="sm" onClick={onClose} />
      </Group>
      {placed.length === 0 && (
        <Text size="sm" c="dimmed" my="xs">
          {t`Select some text, then choose a color or press H.`}
        </Text>
      )}
      {inText.map(({ highlight }) => (
        <UnstyledButton key={highlight.id} className={shared.item ?? ''} onClick={() => highlights.open(highlight.id)}>
          <HighlightText highlight={highlight} />
        </UnstyledButton>
      ))}
      {missing.length > 0 && (
        <Title order={3} size="xs" c="dimmed" mt="md" mb={4}>
          {t`Not found in the current text`}
        </Title>
      )}
      {missing.map(({ highlight }) => {
        const isOpened = highlight === highlights.opened?.highlight
        return (
          <div key={highlight.id}>
            <UnstyledButton
              className={shared.item ?? ''}
              aria-expanded={isOpened}
              onClick={() => (isOpened ? highlights.close() : highlights.open(highlight.id))}
            >
              <HighlightText highlight={highlight} />
            </UnstyledButton>
            {isOpened && (
              <Box p="xs">
                <HighlightCard
                  highlight={highlight}
                  changes={highlights.changes}
                  onDeleted={() => box.current?.focus()}
                />
              </Box>
            )}
          </div>
        )
      })}
      <Anchor component={Link} href="/highlights" size="sm" display="inline-block" mt="sm">
        {t`All highlights`}
      </Anchor>
    </Box>
  )
}
