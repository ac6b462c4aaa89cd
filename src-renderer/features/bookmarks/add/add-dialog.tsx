import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { type BookmarkType, LIMITS } from '../../../../src-main/contract/bookmark.ts'
import { stopAdding, useAdding } from '../../../app/adding.ts'
import type { ShownBookmark } from '../../../app/bookmark-data.ts'
import { longDate } from '../../../app/dates.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { common } from '../../../strings/common.ts'
import { PlaceSelect } from '../place-select.tsx'
import { TagsField } from '../tags-field.tsx'
import { useNewBookmark } from './use-new-bookmark.ts'

/** Adds a bookmark of any type. What it is shows while it is typed, and can be switched. */
export function AddDialog({ onOpen }: { onOpen: (id: string) => void }) {
  const adding = useAdding()
  return (
    <Modal opened={adding !== undefined} onClose={stopAdding} title={strings.addTitle} size={520}>
      {adding && <AddForm text={adding.text} onOpen={onOpen} />}
    </Modal>
  )
}

function AddForm({ text, onOpen }: { text: string; onOpen: (id: string) => void }) {
  const { draft, set, type, problem, existing, isPending, save } = useNewBookmark(text, onOpen)

  function onKeyDown(event: KeyboardEvent) {
    // A text may have more than one line.
    if (event.key !== 'Enter' || event.shiftKey || (type === 'text' && !event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    save()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={strings.addField}
          placeholder={strings.addHint}
          autosize
          minRows={1}
          maxRows={10}
          maxLength={LIMITS.content}
          value={draft.text}
          onChange={(event) => set({ text: event.currentTarget.value })}
          onKeyDown={onKeyDown}
          error={problem}
          data-autofocus
        />
        <SegmentedControl
          aria-label={strings.addType}
          value={type}
          onChange={(value) => set({ type: value as BookmarkType })}
          data={Object.entries(strings.types).map(([value, label]) => ({ value, label }))}
        />
        {existing && <Existing bookmark={existing} onOpen={onOpen} />}
        <TextInput
          label={strings.title}
          placeholder={type === 'link' || type === 'image' ? strings.titleHint : ''}
          maxLength={LIMITS.title}
          value={draft.title}
          onChange={(event) => set({ title: event.currentTarget.value })}
        />
        <TagsField label={strings.tags} value={draft.tags} onChange={(tags) => set({ tags })} />
        {draft.place && <PlaceSelect value={draft.place} onChange={(place) => set({ place })} />}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={stopAdding}>
            {common.cancel}
          </Button>
          <Button type="submit" disabled={draft.text.trim() === ''} loading={isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Existing({ bookmark, onOpen }: { bookmark: ShownBookmark; onOpen: (id: string) => void }) {
  return (
    <Alert color="indigo" title={strings.already} role="status">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" lineClamp={2}>
          {strings.alreadyText(bookmark.title || bookmark.url || '', longDate(bookmark.createdAt))}
        </Text>
        <Button
          size="xs"
          variant="default"
          flex="none"
          onClick={() => {
            stopAdding()
            onOpen(bookmark.id)
          }}
        >
          {strings.alreadyOpen}
        </Button>
      </Group>
    </Alert>
  )
}
