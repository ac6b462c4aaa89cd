import { t } from '@lingui/core/macro'
import { Box, Button, CloseButton, Group, Kbd, Pill, Popover, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  memo,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState
} from 'react'
import { isState } from '../../../../src-main/contract/tag-names.ts'
import { organizationsOptions } from '../../../api/queries.ts'
import { longDate } from '../../../lib/dates.ts'
import { LINK_PLACES, STATE_NAMES, siteInLetters, TYPE_LISTS, VISIBILITY_NAMES } from '../../../lib/labels.ts'
import { i18n, number } from '../../../lib/locale.ts'
import { whenIdle } from '../../../lib/waiting.ts'
import { IconAdjustmentsHorizontal, IconSearch } from '../../../ui/icons/icons.ts'
import type { FilterFields } from './filter-fields.tsx'
import classes from './search-bar.module.css'
import { cleared, isFiltered, type View } from './view.ts'

interface SearchFieldProps {
  ref?: Ref<{ focus(): void }>
  /** The label, which says where it searches; without one it searches all bookmarks. */
  label?: string
  hint?: string
  value: string
  onType(words: string): void
  /** On to the results. */
  onEnter(): void
}

/** The search field. Down and Enter lead to the results, Escape empties it. */
export function SearchField(props: SearchFieldProps) {
  const {
    ref,
    label = t`Search bookmarks`,
    hint = t`Search titles, tags, addresses and text`,
    value,
    onType,
    onEnter
  } = props
  const field = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => ({
    focus() {
      field.current?.focus()
      field.current?.select()
    }
  }))

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault()
      onEnter()
    } else if (event.key === 'Escape' && value !== '') {
      event.preventDefault()
      onType('')
    }
  }
  return (
    <TextInput
      ref={field}
      type="search"
      role="searchbox"
      flex={1}
      miw={0}
      classNames={{ input: classes.input ?? '' }}
      aria-label={label}
      placeholder={hint}
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      autoComplete="off"
      spellCheck={false}
      maxLength={1000}
      leftSection={<IconSearch size={17} stroke={1.7} />}
      rightSection={
        value === '' ? (
          <Kbd fz="xs" style={{ pointerEvents: 'none' }} aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton
            size="sm"
            aria-label={t`Clear search`}
            onClick={() => {
              onType('')
              field.current?.focus()
            }}
          />
        )
      }
    />
  )
}

/** Chooses what to hold back by. The list behind follows each choice. */
export const FilterMenu = memo(function FilterMenu({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const [opened, setOpened] = useState(false)
  // Loaded before it opens: an empty popover has nothing to focus.
  const [Fields, setFields] = useState<typeof FilterFields>()
  const load = useCallback(() => import('./filter-fields.tsx').then((file) => setFields(() => file.FilterFields)), [])
  useEffect(() => whenIdle(load), [load])
  return (
    <Popover
      opened={opened && Fields !== undefined}
      onChange={setOpened}
      position="bottom-end"
      width={380}
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          h={40}
          className={classes.short ?? ''}
          aria-label={t`Filter`}
          leftSection={<IconAdjustmentsHorizontal size={17} stroke={1.7} />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => {
            setOpened(!opened)
            void load()
          }}
        >
          <Box component="span" visibleFrom="xs">
            {t`Filter`}
          </Box>
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t`Filter bookmarks by`}>
        {Fields && <Fields view={view} onShow={onShow} />}
      </Popover.Dropdown>
    </Popover>
  )
})

/** The active filters, each with a button to remove it. The rail shows the type, unless there are other filters. */
export const FilterChips = memo(function FilterChips({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const chips = useChips(view)
  if (chips.length === 0) return null
  return (
    <Group component="ul" gap="0.4rem" m={0} p={0} pt="0.6rem" style={{ listStyle: 'none' }} aria-label={t`Filters`}>
      {chips.map(({ key, label, without }) => (
        <li key={key}>
          <Pill
            size="md"
            bg="light-dark(#eef0f4, #30343f)"
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
    </Group>
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

/** When the bookmarks of a view were saved; `undefined` if the view has no such filter. */
function dateLabel({ days, from, to }: View): string | undefined {
  if (days) return days === 1 ? t`Today` : t`Last ${number(days)} days`
  const [first, last] = [from, to].map((day) => day && longDate(`${day}T00:00`))
  if (first && last) return first === last ? first : `${first} – ${last}`
  return first ? t`Since ${first}` : last && t`Until ${last}`
}
