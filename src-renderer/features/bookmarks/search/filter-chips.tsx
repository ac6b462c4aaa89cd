import { Button, Pill } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { isState } from '../../../../src-main/contract/tag-names.ts'
import { organizationsOptions } from '../../../api/queries.ts'
import { longDate } from '../../../lib/dates.ts'
import { siteInLetters } from '../../../lib/labels.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { linkChecks as links } from '../../../strings/links.ts'
import classes from './filter-chips.module.css'
import { cleared, isFiltered, type View } from './view.ts'

/** The active filters, each with a button to remove it. The rail shows the type, unless there are other filters. */
export const FilterChips = memo(function FilterChips({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const chips = useChips(view)
  if (chips.length === 0) return null
  return (
    <ul className={classes.chips} aria-label={strings.filters}>
      {chips.map(({ key, label, without }) => (
        <li key={key}>
          <Pill
            size="md"
            className={classes.chip ?? ''}
            withRemoveButton
            onRemove={() => onShow(without)}
            removeButtonProps={{ 'aria-label': strings.removeFilter(label), 'aria-hidden': false, tabIndex: 0 }}
          >
            {label}
          </Pill>
        </li>
      ))}
      {isFiltered(view) && (
        <li>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onShow(cleared(view))}>
            {strings.clearFilters}
          </Button>
        </li>
      )}
    </ul>
  )
})

/** Returns the active filters, except the words. */
export function useChips(view: View): { key: string; label: string; without: View }[] {
  const { type, domain, visibility, organization, is, tags, untagged, opened } = view
  const organizations = useQuery(organizationsOptions)
  const without = (name: keyof View) => ({ ...view, [name]: undefined })
  const date = dateLabel(view)
  const named = organizations.data?.find(({ id, name }) => id === organization || name === organization)?.name
  return [
    ...(type && isFiltered(view) ? [{ key: 'type', label: `${strings.types[type]}s`, without: without('type') }] : []),
    ...tags.map((tag) => ({
      key: `tag ${tag}`,
      label: isState(tag) ? strings.states[tag] : `#${tag}`,
      without: { ...view, tags: tags.filter((one) => one !== tag) }
    })),
    ...(domain ? [{ key: 'domain', label: siteInLetters(domain), without: without('domain') }] : []),
    ...(visibility
      ? [{ key: 'visibility', label: strings.visibilities[visibility], without: without('visibility') }]
      : []),
    ...(organization ? [{ key: 'organization', label: named ?? organization, without: without('organization') }] : []),
    ...(is ? [{ key: 'is', label: links.places[is], without: without('is') }] : []),
    ...(date
      ? [{ key: 'date', label: date, without: { ...view, days: undefined, from: undefined, to: undefined } }]
      : []),
    ...(untagged ? [{ key: 'untagged', label: strings.untagged, without: without('untagged') }] : []),
    ...(opened ? [{ key: 'opened', label: strings.opened, without: without('opened') }] : [])
  ]
}

/** When the bookmarks of a view were saved; `undefined` where it holds back none by that. */
function dateLabel({ days, from, to }: View): string | undefined {
  if (days) return strings.lastDays(days)
  const [first, last] = [from, to].map((day) => day && longDate(`${day}T00:00`))
  if (first && last) return first === last ? first : `${first} – ${last}`
  return first ? strings.since(first) : last && strings.until(last)
}
