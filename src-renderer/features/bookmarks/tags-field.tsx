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
  cycleTag,
  isTyped,
  listPickedTags,
  type PickedTag,
  type SuggestedTag,
  suggestTags,
  type TagChanges
} from './suggest-tags.ts'

interface TagsFieldProps extends Pick<TagsInputProps, 'variant' | 'classNames' | 'readOnly'> {
  label: string
  value: string[]
  onChange(tags: string[]): void
  /** The reason why the tags cannot be saved. */
  error?: string | undefined
}

/**
 * A field for tags, with suggestions and their numbers of bookmarks. The suggestions cover the content below, so they are
 * shown only while the user types, or after the Down key.
 */
export function TagsField({ label, value, onChange, error, ...looks }: TagsFieldProps) {
  const tags = useQuery(tagsOptions)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  // A closed field does not search the tags: it is rendered whenever the panel is.
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

/** Maximum number of suggested tags. A third one is rarely right. */
const MAX_OFFERED = 2

interface OfferedTagsProps {
  about: About
  /** The tags of the bookmark, which are not suggested. */
  tags: string[]
  onTake: (tag: string) => void
}

/** Buttons that add tags of similar bookmarks. None is added automatically. */
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

/** A list of all tags. Tags of the selected bookmarks are marked: on all of them, or on some. */
export function TagPicker({ chosen, onApply }: TagPickerProps) {
  const [typed, setTyped] = useState('')
  const [changes, setChanges] = useState<TagChanges>(new Map())
  const [applying, setApplying] = useState(false)
  const combobox = useCombobox({ opened: true })
  const selection = useQuery(selectionOptions(chosen))
  const allTags = useQuery(tagsOptions).data ?? []
  const tags = listPickedTags(selection.data ?? { total: 0, tags: [] }, allTags, changes, typed)
  const { selectFirstOption, resetSelectedOption } = combobox
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of tags changes with the typed text
  useEffect(() => void (typed === '' ? resetSelectedOption() : selectFirstOption()), [typed])

  function choose(name: string) {
    const tag = tags.find((other) => other.name === name)
    if (!tag) return
    setChanges(cycleTag(changes, tag))
    setTyped('')
  }
  async function apply() {
    if (changes.size === 0) return
    setApplying(true)
    await onApply(changesOf(changes)).finally(() => setApplying(false))
  }
  /** A pasted list with commas or line ends adds several tags. */
  function onPaste(event: ClipboardEvent) {
    const names = event.clipboardData.getData('text').split(/[,\n]/).map(tagIn)
    if (names.length < 2) return
    event.preventDefault()
    setChanges(
      new Map([...changes, ...names.filter(Boolean).map((name) => [foldName(name), { name, has: true }] as const)])
    )
  }
  function onKey(event: KeyboardEvent) {
    const nothingSelected = combobox.getSelectedOptionIndex() < 0
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (!(event.metaKey || event.ctrlKey || nothingSelected)) return
    event.preventDefault()
    event.stopPropagation()
    void apply()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
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
        <Button size="xs" disabled={changes.size === 0} loading={applying} onClick={apply}>
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
