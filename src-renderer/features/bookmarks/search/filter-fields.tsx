import { plural, t } from '@lingui/core/macro'
import { Checkbox, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isState, STATES } from '../../../../src-main/contract/tag-names.ts'
import { organizationsOptions, tagsOptions } from '../../../api/queries.ts'
import { readText, replaceFilters, setFilter, tagFilter, valuesOf, writeFilter } from '../../../lib/filters.ts'
import { LINK_MARKS, optionsOf, STATE_NAMES, VISIBILITY_NAMES } from '../../../lib/labels.ts'

interface FilterFieldsProps {
  /** The text of the search, in which each field reads and writes its own filters. */
  text: string
  onText(text: string): void
}

const LINKS = Object.keys(LINK_MARKS)

/** A field for each filter. */
export function FilterFields({ text, onText }: FilterFieldsProps) {
  const organizations = useQuery(organizationsOptions).data ?? []
  const organization = valuesOf(text, 'organization')[0]
  return (
    <Stack gap="sm">
      <TagsFilter text={text} onText={onText} />
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="sm">
        <Choice
          label={t`State`}
          placeholder={t`Any state`}
          data={optionsOf(STATE_NAMES)}
          value={findIs(text, STATES)}
          onChoose={(state) => onText(replaceIs(text, [...STATES, 'untagged'], state))}
        />
        <DateFilter text={text} onText={onText} />
        <SiteFilter text={text} onText={onText} />
        <Choice
          label={t`Link`}
          placeholder={t`Any link`}
          data={optionsOf(LINK_MARKS)}
          value={findIs(text, LINKS)}
          onChoose={(mark) => onText(replaceIs(text, LINKS, mark))}
        />
        <Choice
          label={t`Visibility`}
          placeholder={t`Any visibility`}
          data={optionsOf(VISIBILITY_NAMES)}
          value={valuesOf(text, 'visibility')[0]}
          onChoose={(visibility) => onText(setFilter(text, 'visibility', visibility))}
        />
        {(organizations.length > 0 || organization !== undefined) && (
          <Choice
            label={t`Organization`}
            placeholder={t`Any organization`}
            data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            value={organizations.find(({ id, name }) => id === organization || name === organization)?.id}
            // By id, so that a saved search still works after the organization was renamed.
            onChoose={(id) => onText(setFilter(text, 'organization', id))}
          />
        )}
      </SimpleGrid>
    </Stack>
  )
}

/** Returns the value of `is:` in the text that is one of these. */
function findIs(text: string, values: readonly string[]): string | undefined {
  return valuesOf(text, 'is').find((value) => values.includes(value.toLowerCase()))
}

/** Removes these values of `is:` from the text, and adds another one. */
function replaceIs(text: string, values: readonly string[], added: string | undefined): string {
  return replaceFilters(
    text,
    ({ name, minus, value }) => name === 'is' && !minus && values.includes(value.toLowerCase()),
    added === undefined ? [] : [writeFilter('is', added)]
  )
}

/** The tags that bookmarks must have, or that they have none. */
function TagsFilter({ text, onText }: FilterFieldsProps) {
  const tags = (useQuery(tagsOptions).data ?? []).filter(({ name }) => !isState(name))
  const labels = new Map(tags.map(({ name }) => [tagFilter(name), name]))
  const chosen = readText(text).filters.filter(({ name, minus }) => name === 'tag' && !minus)
  for (const { source, value } of chosen) if (!labels.has(source)) labels.set(source, value)
  const withoutTags = findIs(text, ['untagged']) !== undefined
  return (
    <>
      <MultiSelect
        label={t`Tags`}
        placeholder={chosen.length > 0 ? undefined : t`Any tag`}
        data={[...labels].map(([value, label]) => ({ value, label }))}
        value={chosen.map(({ source }) => source)}
        searchable
        hidePickedOptions
        openOnFocus={false}
        limit={50}
        data-autofocus
        comboboxProps={{ withinPortal: false }}
        onChange={(sources) =>
          onText(
            replaceFilters(
              replaceIs(text, ['untagged'], undefined),
              ({ name, minus }) => name === 'tag' && !minus,
              sources
            )
          )
        }
      />
      <Checkbox
        size="xs"
        label={t`Without tags`}
        checked={withoutTags}
        onChange={({ currentTarget: { checked } }) =>
          onText(
            checked
              ? replaceIs(setFilter(text, 'tag', undefined), STATES, 'untagged')
              : replaceIs(text, ['untagged'], undefined)
          )
        }
      />
    </>
  )
}

/** The last days that can be chosen. */
const PERIODS = [1, 7, 30, 365]
const BETWEEN = 'between'

const DATES = ['after', 'before', 'until', 'on', 'last']

/** When bookmarks were saved: in the last days, or between two days. */
function DateFilter({ text, onText }: FilterFieldsProps) {
  const [from, to] = [valuesOf(text, 'after')[0], valuesOf(text, 'until')[0]]
  const last = valuesOf(text, 'last')[0]
  const days = last?.endsWith('d') ? Number.parseInt(last, 10) : undefined
  const [between, setBetween] = useState(from !== undefined || to !== undefined)
  const periods = days && !PERIODS.includes(days) ? [...PERIODS, days] : PERIODS
  function choose(chosen: string | undefined) {
    setBetween(chosen === BETWEEN)
    const added = Number(chosen) ? [`last:${chosen}d`] : []
    onText(replaceFilters(text, ({ name, minus }) => DATES.includes(name) && !minus, added))
  }
  return (
    <>
      <Choice
        label={t({ context: 'date', message: 'Saved' })}
        placeholder={t`Any time`}
        data={[
          ...periods.map((count) => ({
            value: String(count),
            label: count === 1 ? t`Today` : plural(count, { one: 'Last day', other: 'Last # days' })
          })),
          { value: BETWEEN, label: t`Between` }
        ]}
        value={between ? BETWEEN : days?.toString()}
        onChoose={choose}
      />
      {between && (
        <>
          <Day label={t`From`} day={from} onChoose={(day) => onText(setFilter(text, 'after', day))} />
          <Day label={t`To`} day={to} onChoose={(day) => onText(setFilter(text, 'until', day))} />
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

/** Pause in typing before the site is applied, in ms. A part of a site matches nothing. */
const SITE_PAUSE_MS = 300

/** The site of bookmarks. If the field is empty, any site matches. */
function SiteFilter({ text, onText }: FilterFieldsProps) {
  const site = valuesOf(text, 'site')[0] ?? ''
  const [typed, setTyped] = useState(site)
  const choose = useDebouncedCallback((next: string) => onText(setFilter(text, 'site', next || undefined)), {
    delay: SITE_PAUSE_MS,
    flushOnUnmount: true
  })
  useEffect(() => setTyped((current) => (current.trim() === site ? current : site)), [site])
  return (
    <TextInput
      label={t`Site`}
      placeholder="example.com"
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        choose(value.trim())
      }}
      onKeyDown={(event) => event.key === 'Enter' && choose.flush()}
      onBlur={() => choose.flush()}
    />
  )
}

interface ChoiceProps extends ChooseProps {
  label: string
  placeholder: string
  data: string[] | { value: string; label: string }[]
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
