import { t } from '@lingui/core/macro'
import { Anchor, Group, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ShownBookmark } from '../../../api/client.ts'
import { highlightsOptions } from '../../../api/highlights.ts'
import { openReader } from '../../../lib/opened.ts'
import { HighlightText } from './highlight-parts.tsx'
import classes from './highlights.module.css'

/** Maximum number of highlights that the panel shows. */
const MAX_SHOWN = 5

/** The highlights of a bookmark, if it has any. A click opens the reader at the highlight. */
export function PanelHighlights({ bookmark: { id, hasText } }: { bookmark: ShownBookmark }) {
  const { data = [] } = useQuery(highlightsOptions(id))
  if (data.length === 0) return null
  return (
    <section aria-labelledby="highlights">
      <Group justify="space-between" mt="lg" mb={4}>
        <Text component="h2" id="highlights" size="xs" fw={500} c="dimmed">
          {t`Highlights`}
        </Text>
        <Anchor component={Link} href="/highlights" size="xs">
          {t`All highlights`}
        </Anchor>
      </Group>
      {data.slice(0, MAX_SHOWN).map((highlight) =>
        hasText ? (
          <UnstyledButton
            key={highlight.id}
            className={classes.item ?? ''}
            onClick={() => openReader(id, highlight.id)}
          >
            <HighlightText highlight={highlight} />
          </UnstyledButton>
        ) : (
          <HighlightText key={highlight.id} highlight={highlight} />
        )
      )}
    </section>
  )
}
