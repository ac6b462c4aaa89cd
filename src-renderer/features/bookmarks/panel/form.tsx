import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { LIMITS } from '../../../../src-main/contract/bookmark.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { confirm } from '../../../shared/confirm.tsx'
import { longDate } from '../../../shared/dates.ts'
import { guardPanel } from '../../../shared/opened.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { common } from '../../../strings/common.ts'
import { PlaceSelect } from '../place-select.tsx'
import { TagsField } from '../tags-field.tsx'
import type { Changes } from '../use-changes.ts'
import { type Draft, draftOf, patchOf } from './draft.ts'
import { useEdit } from './use-bookmark.ts'

interface FormProps {
  bookmark: ShownBookmark
  changes: Changes
  onClose(): void
}

/** A bookmark's fields. Nothing is changed before Save, or Ctrl-Enter. */
export function Form({ bookmark, changes, onClose }: FormProps) {
  const saving = useRef<Promise<boolean>>(undefined)
  const { draft, set, patch, dirty, settle } = useDraft(bookmark, saving)
  const edit = useEdit(bookmark.id)
  const { type, picture, deletedAt } = bookmark

  function save(event?: FormEvent) {
    event?.preventDefault()
    if (!dirty || saving.current) return
    saving.current = edit.mutateAsync(patch).then(
      (answer) => {
        settle(answer.bookmark)
        return true
      },
      () => {
        saving.current = undefined
        return false // the form shows it
      }
    )
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
  }
  const field = (name: 'title' | 'url' | 'description' | 'content') => ({
    value: draft[name],
    maxLength: LIMITS[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value })
  })
  return (
    <form onSubmit={save} onKeyDown={onKeyDown}>
      <Stack gap="sm" mt="md">
        {edit.error && <Alert color="red">{edit.error.message}</Alert>}
        <TextInput label={strings.title} data-first-field {...field('title')} />
        {(type === 'link' || type === 'image') && picture === null && (
          <TextInput label={strings.url} {...field('url')} />
        )}
        {type === 'color' && <TextInput label={strings.content.color} {...field('content')} />}
        {type === 'text' && (
          <Textarea label={strings.content.text} autosize minRows={4} maxRows={14} {...field('content')} />
        )}
        <Textarea label={strings.description} autosize minRows={2} maxRows={8} {...field('description')} />
        <TagsField label={strings.tags} value={draft.tags} onChange={(tags) => set({ tags })} />
        <PlaceSelect value={draft.place} onChange={(place) => set({ place })} />
        <Text size="xs" c="dimmed">
          {strings.saved(longDate(bookmark.createdAt))}
          {bookmark.updatedAt !== bookmark.createdAt && `, ${strings.changed(longDate(bookmark.updatedAt))}`}
        </Text>
        <Group justify="space-between">
          {deletedAt === null ? (
            <Button variant="subtle" color="red" onClick={() => remove()}>
              {strings.delete}
            </Button>
          ) : (
            <Button variant="default" onClick={() => changes.restore([bookmark.id])}>
              {strings.restore}
            </Button>
          )}
          <Button type="submit" disabled={!dirty} loading={edit.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )

  async function remove() {
    guardPanel(undefined)
    if (await changes.remove([bookmark.id])) onClose()
  }
}

/** The fields as typed so far. What changes elsewhere shows as long as nothing was typed here. */
function useDraft(bookmark: ShownBookmark, saving: RefObject<Promise<boolean> | undefined>) {
  const [draft, setDraft] = useState(() => draftOf(bookmark))
  const [base, setBase] = useState(bookmark)
  const patch = patchOf(base, draft)
  const dirty = Object.keys(patch).length > 0

  function settle(next: ShownBookmark) {
    setBase(next)
    setDraft(draftOf(next))
  }
  if (base !== bookmark && !dirty) settle(bookmark)

  useEffect(() => {
    // What is being saved is waited for; the panel stays when that fails.
    // What was saved counts as being saved until it is drawn as such.
    if (!dirty) saving.current = undefined
    guardPanel(dirty ? () => saving.current ?? askToDiscard() : undefined)
    return () => guardPanel(undefined)
  }, [dirty, saving])

  return { draft, patch, dirty, settle, set: (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change })) }
}

function askToDiscard(): Promise<boolean> {
  return confirm({ title: strings.discardTitle, text: strings.discardText, action: strings.discard, danger: true })
}
