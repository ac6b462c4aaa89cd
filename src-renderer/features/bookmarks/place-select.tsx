import { t } from '@lingui/core/macro'
import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Visibility } from '../../../src-main/contract/bookmark.ts'
import { organizationsOptions } from '../../api/queries.ts'

/** The visibility of a bookmark; `organization` is a name. */
export interface Place {
  visibility: Visibility
  organization?: string | undefined
}

interface PlaceSelectProps
  extends Pick<SelectProps, 'variant' | 'classNames' | 'placeholder' | 'description' | 'readOnly'> {
  label?: string | undefined
  value: Place | undefined
  /** The reason why it cannot be saved. */
  error?: string | undefined
  onChange(place: Place): void
  /** A button that clears the field. */
  clear?: { label: string; run(): void } | undefined
}

/** Chooses who can see a bookmark: its owner, everybody with a key, or an organization. */
export function PlaceSelect({ label, value, error, onChange, clear, ...looks }: PlaceSelectProps) {
  const organizations = useQuery(organizationsOptions)
  const names = new Set(organizations.data?.map(({ name }) => name))
  if (value?.organization !== undefined) names.add(value.organization)
  const groups = [
    {
      group: t`Visibility`,
      items: [
        { value: 'private', label: t`Private` },
        { value: 'public', label: t`Public` }
      ]
    },
    { group: t`Organization`, items: [...names].map((name) => ({ value: `${PREFIX}${name}`, label: name })) }
  ]
  return (
    <Select
      {...looks}
      label={label ?? t`Visibility`}
      clearable={clear !== undefined}
      clearButtonProps={{ 'aria-label': clear?.label, tabIndex: 0 }}
      allowDeselect={false}
      error={error}
      data={names.size > 0 ? groups : (groups[0]?.items ?? [])}
      value={value?.visibility === 'organization' ? `${PREFIX}${value.organization}` : (value?.visibility ?? null)}
      onChange={(chosen) => (chosen ? onChange(placeOf(chosen)) : clear?.run())}
    />
  )
}

/** Returns the name of a place as the field shows it. */
export function placeName({ visibility, organization }: Place): string {
  return organization ?? (visibility === 'public' ? t`Public` : t`Private`)
}

const PREFIX = 'organization '

function placeOf(chosen: string): Place {
  if (chosen.startsWith(PREFIX)) return { visibility: 'organization', organization: chosen.slice(PREFIX.length) }
  return { visibility: chosen === 'public' ? 'public' : 'private' }
}
