import { t } from '@lingui/core/macro'
import { Checkbox, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatTagFilter, isState, STATES } from '../../../../src-main/contract/tag-names.ts'
import { organizationsOptions, tagsOptions } from '../../../api/queries.ts'
import { LINK_MARKS, optionsOf, STATE_NAMES, VISIBILITY_NAMES } from '../../../lib/labels.ts'
import { number } from '../../../lib/locale.ts'
import type { View } from './view.ts'

interface FilterFieldsProps {
  view: View
  onShow(view: View): void
}

/** A field for each filter. */
export function FilterFields({ view, onShow }: FilterFieldsProps) {
  return (
    <Stack gap="sm">
      <TagsFilter view={view} onShow={onShow} />
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="sm">
        <Choice
          label={t`State`}
          placeholder={t`Any state`}
          data={optionsOf(STATE_NAMES)}
          value={STATES.find((state) => view.tags.includes(state))}
          onChoose={(state) => onShow(withState(view, state))}
        />
        <DateFilter view={view} onShow={onShow} />
        <DomainFilter domain={view.domain} onChoose={(domain) => onShow({ ...view, domain })} />
        <Choice
          label={t`Link`}
          placeholder={t`Any link`}
          data={optionsOf(LINK_MARKS)}
          value={view.is}
          onChoose={(is) => onShow({ ...view, is: is as View['is'] })}
        />
        <Choice
          label={t`Visibility`}
          placeholder={t`Any visibility`}
          data={optionsOf(VISIBILITY_NAMES)}
          value={view.visibility}
          onChoose={(visibility) => onShow({ ...view, visibility: visibility as View['visibility'] })}
        />
        <OrganizationFilter
          organization={view.organization}
          onChoose={(organization) => onShow({ ...view, organization })}
        />
      </SimpleGrid>
    </Stack>
  )
}

/** The view of bookmarks in this state alone, or in any. */
function withState(view: View, state: string | undefined): View {
  const tags = view.tags.filter((tag) => !isState(tag))
  return state === undefined ? { ...view, tags } : { ...view, tags: [...tags, state], untagged: undefined }
}

/** Tags that a bookmark must have all of, or none at all. */
function TagsFilter({ view, onShow }: FilterFieldsProps) {
  const tags = useQuery(tagsOptions).data ?? []
  const states = view.tags.filter(isState)
  return (
    <>
      <MultiSelect
        label={t`Tags`}
        placeholder={view.tags.length > states.length ? undefined : t`Any tag`}
        data={tags
          .filter(({ name }) => !isState(name))
          .map(({ name }) => ({ value: formatTagFilter(name), label: name }))}
        value={view.tags.filter((tag) => !isState(tag))}
        searchable
        hidePickedOptions
        openOnFocus={false}
        limit={50}
        data-autofocus
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => onShow({ ...view, tags: [...chosen, ...states], untagged: undefined })}
      />
      <Checkbox
        size="xs"
        label={t`Without tags`}
        checked={view.untagged === true}
        onChange={(event) =>
          onShow(event.currentTarget.checked ? { ...view, tags: [], untagged: true } : { ...view, untagged: undefined })
        }
      />
    </>
  )
}

/** The periods that are offered, in days up to now. */
const PERIODS = [1, 7, 30, 365]
const BETWEEN = 'between'

/** When a bookmark was saved: in the last days, or between two. */
function DateFilter({ view, onShow }: FilterFieldsProps) {
  const { days, from, to } = view
  const [between, setBetween] = useState(from !== undefined || to !== undefined)
  const periods = days && !PERIODS.includes(days) ? [...PERIODS, days] : PERIODS
  function choose(chosen: string | undefined) {
    setBetween(chosen === BETWEEN)
    onShow({ ...view, days: Number(chosen) || undefined, from: undefined, to: undefined })
  }
  return (
    <>
      <Choice
        label={t`Saved`}
        placeholder={t`Any time`}
        data={[
          ...periods.map((one) => ({ value: String(one), label: one === 1 ? t`Today` : t`Last ${number(one)} days` })),
          { value: BETWEEN, label: t`Between` }
        ]}
        value={between ? BETWEEN : days?.toString()}
        onChoose={choose}
      />
      {between && (
        <>
          <Day label={t`From`} day={from} onChoose={(day) => onShow({ ...view, from: day })} />
          <Day label={t`To`} day={to} onChoose={(day) => onShow({ ...view, to: day })} />
        </>
      )}
    </>
  )
}

interface ChooseProps {
  onChoose(chosen: string | undefined): void
}

function Day({ label, day = '', onChoose }: ChooseProps & { label: string; day: string | undefined }) {
  return (
    <TextInput
      type="date"
      label={label}
      max="9999-12-31"
      value={day}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  )
}

/** Typed, and chosen by Enter; nothing typed is any site. */
function DomainFilter({ domain, onChoose }: ChooseProps & { domain: string | undefined }) {
  const [typed, setTyped] = useState(domain ?? '')
  return (
    <TextInput
      label={t`Site`}
      placeholder="example.com"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onChoose(typed.trim() || undefined)}
    />
  )
}

function OrganizationFilter({ organization, onChoose }: ChooseProps & { organization: string | undefined }) {
  const organizations = useQuery(organizationsOptions)
  return (
    <Choice
      label={t`Organization`}
      placeholder={t`Any organization`}
      data={(organizations.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={organization}
      onChoose={onChoose}
    />
  )
}

interface ChoiceProps extends ChooseProps {
  label: string
  placeholder: string
  data: { value: string; label: string }[]
  value: string | undefined
}

function Choice({ label, placeholder, data, value, onChoose }: ChoiceProps) {
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={data}
      value={value ?? null}
      comboboxProps={{ withinPortal: false }}
      onChange={(chosen) => onChoose(chosen ?? undefined)}
    />
  )
}
