import { t } from '@lingui/core/macro'
import { Button, Pill } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { isState } from '../../../../src-main/contract/tag-names.ts'
import { organizationsOptions } from '../../../api/queries.ts'
import { longDate } from '../../../lib/dates.ts'
import { LINK_PLACES, STATE_NAMES, siteInLetters, TYPE_LISTS, VISIBILITY_NAMES } from '../../../lib/labels.ts'
import { i18n, number } from '../../../lib/locale.ts'
import classes from './filter-chips.module.css'
import { cleared, isFiltered, type View } from './view.ts'

/** The active filters, each with a button to remove it. The rail shows the type, unless there are other filters. */
export const FilterChips = memo(function FilterChips({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const chips = useChips(view)
  if (chips.length === 0) return null
  return (
    <ul className={classes.chips} aria-label={t`Filters`}>
      {chips.map(({ key, label, without }) => (
        <li key={key}>
          <Pill
            size="md"
            className={classes.chip ?? ''}
            withRemoveButton
            onRemove={() => onShow(without)}
            removeButtonProps={{ 'aria-label': t`Remove filter ${label}`, 'aria-hidden': false, tabIndex: 0 }}
          >
            {label}
          </Pill>
        </li>
      ))}
      {isFiltered(view) && (
        <li>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onShow(cleared(view))}>
            {t`Clear filters`}
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
    ...(type && isFiltered(view) ? [{ key: 'type', label: i18n._(TYPE_LISTS[type]), without: without('type') }] : []),
    ...tags.map((tag) => ({
      key: `tag ${tag}`,
      label: isState(tag) ? i18n._(STATE_NAMES[tag]) : `#${tag}`,
      without: { ...view, tags: tags.filter((one) => one !== tag) }
    })),
    ...(domain ? [{ key: 'domain', label: siteInLetters(domain), without: without('domain') }] : []),
    ...(visibility
      ? [{ key: 'visibility', label: i18n._(VISIBILITY_NAMES[visibility]), without: without('visibility') }]
      : []),
    ...(organization ? [{ key: 'organization', label: named ?? organization, without: without('organization') }] : []),
    ...(is ? [{ key: 'is', label: i18n._(LINK_PLACES[is]), without: without('is') }] : []),
    ...(date
      ? [{ key: 'date', label: date, without: { ...view, days: undefined, from: undefined, to: undefined } }]
      : []),
    ...(untagged ? [{ key: 'untagged', label: t`Without tags`, without: without('untagged') }] : []),
    ...(opened ? [{ key: 'opened', label: t`Recently opened`, without: without('opened') }] : [])
  ]
}

/** When the bookmarks of a view were saved; `undefined` where it holds back none by that. */
function dateLabel({ days, from, to }: View): string | undefined {
  if (days) return days === 1 ? t`Today` : t`Last ${number(days)} days`
  const [first, last] = [from, to].map((day) => day && longDate(`${day}T00:00`))
  if (first && last) return first === last ? first : `${first} – ${last}`
  return first ? t`Since ${first}` : last && t`Until ${last}`
}
