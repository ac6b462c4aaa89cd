import { msg, t } from '@lingui/core/macro'
import {
  Button,
  Checkbox,
  Combobox,
  Group,
  Stack,
  TagsInput,
  type TagsInputProps,
  Text,
  TextInput,
  useCombobox
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { isState } from '../../../src-main/contract/tag-names.ts'
import { type About, selectionOptions, suggestedTagsOptions, tagsOptions } from '../../api/queries.ts'
import { i18n, number } from '../../lib/locale.ts'
import { foldName, tagIn } from '../../lib/match-names.ts'
import { IconPlus } from '../../ui/icons/icons.ts'
import type { Chosen } from './list/selection.ts'
import {
  changesOf,
  isTyped,
  type PickedTag,
  pickedTags,
  type SuggestedTag,
  suggestTags,
  turned,
  type Wanted
} from './suggest-tags.ts'

interface TagsFieldProps extends Pick<TagsInputProps, 'variant' | 'classNames' | 'readOnly'> {
  label: string
  value: string[]
  onChange(tags: string[]): void
  /** Why they cannot be saved as they are. */
  error?: string | undefined
}

/**
 * Tags, with those already in use suggested, and how often they are. The suggestions cover what is below, so they are
 * there while one types, or asks for them by the arrow key.
 */
export function TagsField({ label, value, onChange, error, ...looks }: TagsFieldProps) {
  const tags = useQuery(tagsOptions)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  // A closed field, of which there is one in each panel, looks through no tags.
  const suggested = open ? suggestTags(tags.data ?? [], typed, value) : []
  return (
    <TagsInput
      {...looks}
      label={label}
      data={suggested.map(({ name }) => name)}
      filter={({ options }) => options}
      renderOption={({ option }) => <Suggestion tag={suggested.find(({ name }) => name === option.value)} />}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text)
        setOpen(text !== '')
      }}
      openOnFocus={false}
      dropdownOpened={open}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      selectFirstOptionOnChange={suggested[0] !== undefined && isTyped(suggested[0], typed)}
      value={value}
      error={error}
      onChange={(next) => onChange(next.map(tagIn).filter(Boolean))}
      maxTags={LIMITS.tags}
      acceptValueOnBlur
      splitChars={[',']}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

function Suggestion({ tag }: { tag: SuggestedTag | undefined }) {
  if (!tag) return null
  if (tag.isNew) return t`Create “${tag.name}”`
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between" flex={1}>
      <span>{tag.name}</span>
      <Text span size="xs" c="dimmed">
        {number(tag.bookmarks)}
      </Text>
    </Group>
  )
}

/** Maximum number of suggested tags. A fourth is rarely right. */
const MAX_OFFERED = 2

interface OfferedTagsProps {
  about: About
  /** The bookmark's own tags, which are not offered. */
  tags: string[]
  onTake: (tag: string) => void
}

/** Tags that bookmarks like this one have; each is taken by a press, and none by itself. */
export function OfferedTags({ about, tags, onTake }: OfferedTagsProps) {
  const { data } = useQuery(suggestedTagsOptions(about, tags))
  const offered = (data?.tags ?? []).filter((tag) => !tags.includes(tag) && !isState(tag)).slice(0, MAX_OFFERED)
  if (offered.length === 0) return null
  return (
    <Group gap={6} role="group" aria-label={t`Suggested tags`}>
      {offered.map((tag) => (
        <Button
          key={tag}
          size="compact-xs"
          variant="default"
          fw={400}
          maw="12rem"
          leftSection={<IconPlus size={12} />}
          aria-label={t`Add the tag “${tag}”`}
          onClick={() => onTake(tag)}
        >
          {tag}
        </Button>
      ))}
    </Group>
  )
}

interface TagPickerProps {
  chosen: Chosen
  onApply(tags: { add: string[]; remove: string[] }): Promise<void>
}

/** All tags in one list that covers nothing, with those of the selection marked: on all of it, or on some. */
export function TagPicker({ chosen, onApply }: TagPickerProps) {
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState<Wanted>(new Map())
  const [applying, setApplying] = useState(false)
  const combobox = useCombobox({ opened: true })
  const selection = useQuery(selectionOptions(chosen))
  const tags = pickedTags(selection.data ?? { total: 0, tags: [] }, useQuery(tagsOptions).data ?? [], wanted, typed)
  const { selectFirstOption, resetSelectedOption } = combobox
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tags are in the list
  useEffect(() => void (typed === '' ? resetSelectedOption() : selectFirstOption()), [typed])

  function turn(name: string) {
    const tag = tags.find((one) => one.name === name)
    if (!tag) return
    setWanted(turned(wanted, tag))
    setTyped('')
  }
  async function apply() {
    if (wanted.size === 0) return
    setApplying(true)
    await onApply(changesOf(wanted)).finally(() => setApplying(false))
  }
  /** A pasted list is of several tags, all of which are wanted. */
  function onPaste(event: ClipboardEvent) {
    const names = event.clipboardData.getData('text').split(/[,\n]/).map(tagIn)
    if (names.length < 2) return
    event.preventDefault()
    setWanted(
      new Map([...wanted, ...names.filter(Boolean).map((name) => [foldName(name), { name, has: true }] as const)])
    )
  }
  function onKey(event: KeyboardEvent) {
    const nothingMarked = combobox.getSelectedOptionIndex() < 0
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (!(event.metaKey || event.ctrlKey || nothingMarked)) return
    event.preventDefault()
    event.stopPropagation()
    void apply()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={turn}>
      <Stack gap="sm">
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            role="combobox"
            aria-label={t`Find a tag, or name a new one`}
            placeholder={t`Find a tag, or name a new one`}
            maxLength={LIMITS.tag}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDownCapture={onKey}
            onPaste={onPaste}
          />
        </Combobox.EventsTarget>
        <Combobox.Options
          aria-label={t`Tags of the selected bookmarks`}
          aria-multiselectable
          mah={260}
          style={{ overflowY: 'auto' }}
        >
          {tags.map((tag) => (
            <Option key={tag.name} tag={tag} total={selection.data?.total ?? 0} />
          ))}
          {tags.length === 0 && <Combobox.Empty>{t`No tag of that name`}</Combobox.Empty>}
        </Combobox.Options>
        <Button size="xs" disabled={wanted.size === 0} loading={applying} onClick={apply}>
          {t`Apply`}
        </Button>
      </Stack>
    </Combobox>
  )
}

function Option({ tag, total }: { tag: PickedTag; total: number }) {
  const { name, share, becomes, bookmarks, isNew } = tag
  return (
    <Combobox.Option
      value={name}
      aria-label={isNew ? t`Create “${name}”` : `${name}, ${i18n._(TAG_ON[becomes])}`}
      aria-checked={becomes === 'some' ? 'mixed' : becomes === 'all'}
    >
      <Group gap="xs" wrap="nowrap">
        <Checkbox.Indicator size="xs" checked={becomes === 'all'} indeterminate={becomes === 'some'} />
        <Text size="sm" truncate flex={1}>
          {isNew ? t`Create “${name}”` : name}
        </Text>
        {share === 'some' && (
          <Text size="xs" c="dimmed">
            {t`${number(bookmarks)} of ${number(total)}`}
          </Text>
        )}
      </Group>
    </Combobox.Option>
  )
}

const TAG_ON = { all: msg`on all`, some: msg`on some`, none: msg`on none` }
