import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { FocusEvent, FormEvent, KeyboardEvent, ReactNode } from 'react'
import { LIMITS } from '../../../../src-main/contract/bookmark.ts'
import { agentName } from '../../../shared/agents.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { longDate } from '../../../shared/dates.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { titleOf } from '../list/item-title.tsx'
import { PlaceSelect } from '../place-select.tsx'
import { TagsField } from '../tags-field.tsx'
import type { Changes } from '../use-changes.ts'
import type { Field } from './draft.ts'
import classes from './panel.module.css'
import { type Autosave, useAutosave } from './use-autosave.ts'

interface FormProps {
  bookmark: ShownBookmark
  changes: Changes
  onClose(): void
}

/** A bookmark's fields. What is typed is saved a moment later, and when one leaves the fields. */
export function Form({ bookmark, changes, onClose }: FormProps) {
  const autosave = useAutosave(bookmark)
  const { id, createdAt, updatedAt, deletedAt } = bookmark

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void autosave.settle()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void autosave.settle()
  }
  function onBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) void autosave.settle()
  }
  async function remove() {
    await autosave.settle()
    if (await changes.remove({ ids: [id] }, titleOf(bookmark))) onClose()
  }
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Stack gap="sm" mt="md">
        <fieldset className={classes.fields} disabled={deletedAt !== null} aria-label={strings.fields}>
          <Fields bookmark={bookmark} autosave={autosave} />
        </fieldset>
        <Text size="xs" c="dimmed">
          {savedLine(bookmark)}
          {longDate(updatedAt) !== longDate(createdAt) && `, ${strings.changed(longDate(updatedAt))}`}
        </Text>
        <Group justify="space-between">
          {deletedAt === null ? (
            <Button variant="subtle" color="red" ms={-18} onClick={remove}>
              {strings.delete}
            </Button>
          ) : (
            <Button variant="default" onClick={() => changes.restore({ ids: [id] }, titleOf(bookmark))}>
              {strings.restore}
            </Button>
          )}
          <Text size="sm" role="status" c={autosave.progress === 'refused' ? 'var(--mantine-color-error)' : 'dimmed'}>
            {strings.progress[autosave.progress]}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}

function savedLine({ createdAt, savedBy }: ShownBookmark): string {
  const date = longDate(createdAt)
  if (!savedBy) return strings.saved(date)
  const { key, client } = savedBy
  return client === null ? strings.savedWith(date, key) : strings.savedBy(date, agentName(client), key)
}

/** The fields that a bookmark of this type has. */
function Fields({ bookmark: { type, picture }, autosave }: { bookmark: ShownBookmark; autosave: Autosave }) {
  const { draft, set } = autosave
  const text = (name: 'title' | 'url' | 'description' | 'content') => ({
    value: draft[name],
    maxLength: LIMITS[name],
    error: autosave.faultOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value)
  })
  return (
    <Stack gap="sm">
      <Contested field="title" autosave={autosave}>
        <TextInput label={strings.title} data-first-field {...text('title')} />
      </Contested>
      {(type === 'link' || type === 'image') && picture === null && (
        <Contested field="url" autosave={autosave}>
          <TextInput label={strings.url} {...text('url')} />
        </Contested>
      )}
      {(type === 'color' || type === 'text') && (
        <Contested field="content" autosave={autosave}>
          {type === 'color' ? (
            <TextInput label={strings.content.color} {...text('content')} />
          ) : (
            <Textarea label={strings.content.text} autosize minRows={4} maxRows={14} {...text('content')} />
          )}
        </Contested>
      )}
      <Contested field="description" autosave={autosave}>
        <Textarea label={strings.description} autosize minRows={2} maxRows={8} {...text('description')} />
      </Contested>
      <Contested field="tags" autosave={autosave}>
        <TagsField
          label={strings.tags}
          value={draft.tags}
          error={autosave.faultOf('tags')}
          onChange={(tags) => set('tags', tags)}
        />
      </Contested>
      <Contested field="place" autosave={autosave}>
        <PlaceSelect value={draft.place} error={autosave.faultOf('place')} onChange={(place) => set('place', place)} />
      </Contested>
    </Stack>
  )
}

/** A field; and, where it was changed elsewhere while one typed, the question what is to stay. */
function Contested({ field, autosave, children }: { field: Field; autosave: Autosave; children: ReactNode }) {
  return (
    <>
      {children}
      {autosave.isContested(field) && (
        <Alert color="yellow" p="xs" role="alert">
          <Text size="sm" lineClamp={4}>
            {strings.changedElsewhere} {autosave.theirs(field)}
          </Text>
          <Group gap="xs" mt={6}>
            <Button size="compact-sm" variant="default" onClick={() => autosave.decide(field, true)}>
              {strings.keepMine}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => autosave.decide(field, false)}>
              {strings.takeTheirs}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}
