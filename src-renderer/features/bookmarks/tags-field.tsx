import { t } from '@lingui/core/macro'
import { Button, Group, TagsInput, type TagsInputProps, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { isState } from '../../../src-main/contract/tag-names.ts'
import { type About, suggestedTagsOptions, tagsOptions } from '../../api/queries.ts'
import { number } from '../../lib/locale.ts'
import { IconPlus } from '../../ui/icons/icons.ts'
import { isTyped, type SuggestedTag, suggestTags } from './suggest-tags.ts'

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
      onChange={(next) => onChange(next.map((tag) => tag.replace(/^#/, '').trim()).filter(Boolean))}
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
const MAX_OFFERED = 3

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
