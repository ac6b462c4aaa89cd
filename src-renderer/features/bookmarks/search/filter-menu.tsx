import { Button, Popover, Select, Stack, TextInput } from '@mantine/core'
import { memo, useState } from 'react'
import { isState, STATES } from '../../../../src-main/contract/state-tags.ts'
import { useOrganizations, useTags } from '../../../shared/bookmark-data.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { linkChecks as links } from '../../../strings/links.ts'
import { IconAdjustmentsHorizontal } from '../../../ui/icons/icons.ts'
import classes from './short.module.css'
import { type View, withTag } from './view.ts'

/** Chooses what to hold back by. */
export const FilterMenu = memo(function FilterMenu({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={280}
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
          aria-label={strings.filter}
          leftSection={<IconAdjustmentsHorizontal size={17} stroke={1.7} />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          <span className={classes.word}>{strings.filter}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={strings.filterBy}>
        <Fields
          view={view}
          onShow={(next) => {
            setOpened(false)
            onShow(next)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
})

function Fields({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  return (
    <Stack gap="sm">
      <TagFilter onChoose={(tag) => onShow(withTag(view, tag))} />
      <Choice
        label={strings.state}
        placeholder={strings.anyState}
        data={STATE_OPTIONS}
        value={STATES.find((state) => view.tags.includes(state))}
        onChoose={(state) => onShow(withState(view, state))}
      />
      <DomainFilter domain={view.domain} onChoose={(domain) => onShow({ ...view, domain })} />
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
      <Choice
        label={links.link}
        placeholder={links.anyLink}
        data={MARKS}
        value={view.is}
        onChoose={(is) => onShow({ ...view, is: is as View['is'] })}
      />
    </Stack>
  )
}

const STATE_OPTIONS = optionsOf(strings.states)
const VISIBILITIES = optionsOf(strings.visibilities)
const MARKS = optionsOf(links.marks)

/** The view of bookmarks in this state alone, or in any. */
function withState(view: View, state: string | undefined): View {
  const tags = view.tags.filter((tag) => !isState(tag))
  return { ...view, tags: state === undefined ? tags : [...tags, state] }
}

function optionsOf(names: Record<string, string>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}

/** Every tag narrows further, so that none is chosen at first. */
function TagFilter({ onChoose }: { onChoose: (tag: string) => void }) {
  const tags = useTags()
  return (
    <Select
      label={strings.tag}
      placeholder={strings.anyTag}
      data={(tags.data ?? []).map(({ name }) => name)}
      value={null}
      searchable
      openOnFocus={false}
      limit={50}
      data-autofocus
      comboboxProps={{ withinPortal: false }}
      onChange={(tag) => tag && onChoose(tag)}
    />
  )
}

interface FilterProps {
  onChoose(chosen: string | undefined): void
}

/** Typed, and chosen by Enter; nothing typed is any site. */
function DomainFilter({ domain, onChoose }: FilterProps & { domain: string | undefined }) {
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

function OrganizationFilter({ organization, onChoose }: FilterProps & { organization: string | undefined }) {
  const organizations = useOrganizations()
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

interface ChoiceProps extends FilterProps {
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
