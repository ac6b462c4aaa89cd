import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { BOOKMARK_TYPES } from '../../../../src-main/contract/bookmark.ts'
import { countsOptions } from '../../../api/queries.ts'
import { setFilter } from '../../../lib/filters.ts'
import { TYPE_LISTS } from '../../../lib/labels.ts'
import { i18n, number } from '../../../lib/locale.ts'
import { typeOf } from './view.ts'

/**
 * Buttons that filter by type, if the library has more than one type. Their numbers are those of the whole library, so
 * they are hidden if there is a search or another filter.
 */
export const TypeRow = memo(function TypeRow({ text, onText }: { text: string; onText(text: string): void }) {
  const counts = useQuery(countsOptions).data
  const current = typeOf(text)
  const isCounted = setFilter(text, 'type', undefined).trim() === ''
  const types = BOOKMARK_TYPES.filter((type) => type === current || (counts?.[type] ?? 0) > 0)
  if (types.length < 2 && current === undefined) return null
  return (
    <Group gap={4} pt="0.5rem" role="group" aria-label={t`Types`}>
      {types.map((type) => (
        <Button
          key={type}
          size="compact-sm"
          fw={type === current ? 600 : 400}
          variant={type === current ? 'light' : 'subtle'}
          color={type === current ? undefined : 'gray'}
          aria-pressed={type === current}
          onClick={() => onText(setFilter(text, 'type', type === current ? undefined : type))}
        >
          {i18n._(TYPE_LISTS[type])}
          {isCounted && (
            <Text span size="xs" c="dimmed" ms={6} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {number(counts?.[type] ?? 0)}
            </Text>
          )}
        </Button>
      ))}
    </Group>
  )
})
