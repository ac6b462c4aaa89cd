import { Button, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useOrganizations, useTags } from '../../../shared/bookmark-data.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { linkChecks as links } from '../../../strings/links.ts'
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
  const tags = useTags()
  const organizations = useOrganizations()
  const { visibility: _v, organization: _o, domain: _d, is: _i, ...rest } = view
  const within = { ...pick(view, 'domain'), ...rest }
  const [domain, setDomain] = useState(view.domain ?? '')

  function showDomain() {
    const { domain: _old, ...others } = view
    onShow(domain.trim() === '' ? others : { ...others, domain: domain.trim() })
  }
  return (
    <Stack gap="sm">
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
        onChange={(tag) => tag && onShow(withTag(view, tag))}
      />
      <TextInput
        label={strings.domain}
        placeholder={strings.domainHint}
        value={domain}
        onChange={(event) => setDomain(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && showDomain()}
      />
      <Select
        label={strings.visibility}
        placeholder={strings.anyVisibility}
        data={Object.entries(strings.visibilities).map(([value, label]) => ({ value, label }))}
        value={view.visibility ?? null}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) =>
          onShow({
            ...within,
            ...pick(view, 'organization'),
            ...pick(view, 'is'),
            ...(value && { visibility: value as NonNullable<View['visibility']> })
          })
        }
      />
      <Select
        label={strings.organization}
        placeholder={strings.anyOrganization}
        data={(organizations.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={view.organization ?? null}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) =>
          onShow({
            ...within,
            ...pick(view, 'visibility'),
            ...pick(view, 'is'),
            ...(value && { organization: value })
          })
        }
      />
      <Select
        label={links.link}
        placeholder={links.anyLink}
        data={Object.entries(links.marks).map(([value, label]) => ({ value, label }))}
        value={view.is ?? null}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) =>
          onShow({
            ...within,
            ...pick(view, 'visibility'),
            ...pick(view, 'organization'),
            ...(value && { is: value as NonNullable<View['is']> })
          })
        }
      />
    </Stack>
  )
}

function pick<Name extends 'domain' | 'visibility' | 'organization' | 'is'>(
  view: View,
  name: Name
): Partial<Pick<View, Name>> {
  return view[name] === undefined ? {} : ({ [name]: view[name] } as Pick<View, Name>)
}
