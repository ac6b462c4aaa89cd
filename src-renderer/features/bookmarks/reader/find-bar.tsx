import { ActionIcon, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { page as strings } from '../../../strings/page.ts'
import { IconChevronDown, IconChevronUp } from '../../../ui/icons/icons.ts'
import { MAX_MATCHES } from './find-in-texts.ts'
import { useFind } from './use-find.ts'

interface FindBarProps {
  /** The element that is searched. */
  box: RefObject<HTMLElement | null>
  field: RefObject<HTMLInputElement | null>
  onClose(): void
}

/** Finds words in the text that is read. */
export function FindBar({ box, field, onClose }: FindBarProps) {
  const [wanted, setWanted] = useState('')
  const { count, now, step } = useFind(box, wanted)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  }
  return (
    <Group gap={6} wrap="nowrap" role="search" aria-label={strings.find}>
      <TextInput
        ref={field}
        size="xs"
        flex={1}
        maw={320}
        autoFocus
        data-autofocus
        aria-label={strings.find}
        placeholder={strings.find}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Text size="xs" c="dimmed" role="status" style={{ whiteSpace: 'nowrap' }}>
        {wanted.trim() !== '' && strings.matches(now, count, count >= MAX_MATCHES)}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={strings.previous}
        disabled={count === 0}
        onClick={() => step(-1)}
      >
        <IconChevronUp size={18} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={strings.next}
        disabled={count === 0}
        onClick={() => step(1)}
      >
        <IconChevronDown size={18} />
      </ActionIcon>
      <CloseButton size="sm" aria-label={strings.closeFind} onClick={onClose} />
    </Group>
  )
}
