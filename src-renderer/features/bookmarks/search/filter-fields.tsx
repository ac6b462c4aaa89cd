import { Checkbox, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatTagFilter, isState, STATES } from '../../../../src-main/contract/tag-names.ts'
import { organizationsOptions, tagsOptions } from '../../../api/queries.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { linkChecks as links } from '../../../strings/links.ts'
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
          label={strings.state}
          placeholder={strings.anyState}
          data={STATE_OPTIONS}
          value={STATES.find((state) => view.tags.includes(state))}
          onChoose={(state) => onShow(withState(view, state))}
        />
        <DateFilter view={view} onShow={onShow} />
        <DomainFilter domain={view.domain} onChoose={(domain) => onShow({ ...view, domain })} />
        <Choice
          label={links.link}
          placeholder={links.anyLink}
          data={MARKS}
          value={view.is}
          onChoose={(is) => onShow({ ...view, is: is as View['is'] })}
        />
        <Choice
          label={strings.visibility}
          placeholder={strings.anyVisibility}
          data={VISIBILITIES}
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

const STATE_OPTIONS = optionsOf(strings.states)
const VISIBILITIES = optionsOf(strings.visibilities)
const MARKS = optionsOf(links.marks)

/** The view of bookmarks in this state alone, or in any. */
function withState(view: View, state: string | undefined): View {
  const tags = view.tags.filter((tag) => !isState(tag))
  return state === undefined ? { ...view, tags } : { ...view, tags: [...tags, state], untagged: undefined }
}

function optionsOf(names: Record<string, string>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}

/** Tags that a bookmark must have all of, or none at all. */
function TagsFilter({ view, onShow }: FilterFieldsProps) {
  const tags = useQuery(tagsOptions).data ?? []
  const states = view.tags.filter(isState)
  return (
    <>
      <MultiSelect
        label={strings.tags}
        placeholder={view.tags.length > states.length ? undefined : strings.anyTag}
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
        label={strings.untagged}
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
        label={strings.date}
        placeholder={strings.anyDate}
        data={[
          ...periods.map((one) => ({ value: String(one), label: strings.lastDays(one) })),
          { value: BETWEEN, label: strings.between }
        ]}
        value={between ? BETWEEN : days?.toString()}
        onChoose={choose}
      />
      {between && (
        <>
          <Day label={strings.from} day={from} onChoose={(day) => onShow({ ...view, from: day })} />
          <Day label={strings.to} day={to} onChoose={(day) => onShow({ ...view, to: day })} />
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
      label={strings.domain}
      placeholder={strings.domainHint}
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
      label={strings.organization}
      placeholder={strings.anyOrganization}
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
