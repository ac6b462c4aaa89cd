import { msg, t } from '@lingui/core/macro'
import { Button, Checkbox, Combobox, Group, ScrollArea, Stack, Text, TextInput, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { selectionOptions, tagsOptions } from '../../api/queries.ts'
import { i18n, number } from '../../lib/locale.ts'
import type { Chosen } from './list/selection.ts'
import { changesOf, type PickedTag, pickedTags, turned, type Wanted } from './picked-tags.ts'

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
          />
        </Combobox.EventsTarget>
        <ScrollArea.Autosize mah={260} type="auto" scrollbarSize={6}>
          <Combobox.Options aria-label={t`Tags of the selected bookmarks`} aria-multiselectable>
            {tags.map((tag) => (
              <Option key={tag.name} tag={tag} total={selection.data?.total ?? 0} />
            ))}
            {tags.length === 0 && <Combobox.Empty>{t`No tag of that name`}</Combobox.Empty>}
          </Combobox.Options>
        </ScrollArea.Autosize>
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
