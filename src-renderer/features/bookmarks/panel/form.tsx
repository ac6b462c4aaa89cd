import { Alert, Anchor, Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import type { FocusEvent, FormEvent, KeyboardEvent, ReactNode } from 'react'
import { LIMITS } from '../../../../src-main/contract/bookmark.ts'
import { agentName } from '../../../shared/agents.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { longDate } from '../../../shared/dates.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { siteLabel } from '../list/site-label.ts'
import { openable } from '../look.ts'
import { OfferedTags } from '../offered-tags.tsx'
import { PlaceSelect } from '../place-select.tsx'
import { TagsField } from '../tags-field.tsx'
import type { Field } from './draft.ts'
import classes from './panel.module.css'
import { type Autosave, useAutosave } from './use-autosave.ts'

interface FormProps {
  bookmark: ShownBookmark
}

/** A bookmark's fields. What is typed is saved a moment later, and when one leaves the fields. */
export function Form({ bookmark }: FormProps) {
  const autosave = useAutosave(bookmark)
  const { deletedAt } = bookmark

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
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} onBlur={onBlur}>
      <fieldset className={classes.fields} disabled={deletedAt !== null} aria-label={strings.fields}>
        <Fields bookmark={bookmark} autosave={autosave} />
      </fieldset>
      <Group justify="space-between" wrap="nowrap" mt="md" className={classes.foot ?? ''}>
        <Text size="xs" c="dimmed">
          {savedLine(bookmark)}
        </Text>
        <Text size="xs" role="status" c={autosave.progress === 'refused' ? 'var(--mantine-color-error)' : 'dimmed'}>
          {strings.progress[autosave.progress]}
        </Text>
      </Group>
    </form>
  )
}

function savedLine({ createdAt, savedBy }: ShownBookmark): string {
  const date = longDate(createdAt)
  if (!savedBy) return strings.saved(date)
  const { key, client } = savedBy
  return client === null ? strings.savedWith(date, key) : strings.savedBy(date, agentName(client), key)
}

const PROPERTY = { root: classes.property ?? '', label: classes.name ?? '', input: classes.value ?? '' }

/** The fields that a bookmark of this type has. */
function Fields({
  bookmark: { type, picture, url, domain },
  autosave
}: {
  bookmark: ShownBookmark
  autosave: Autosave
}) {
  const { draft, set } = autosave
  const text = (name: 'title' | 'url' | 'description' | 'content') => ({
    value: draft[name],
    maxLength: LIMITS[name],
    error: autosave.faultOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value)
  })
  const address = openable(url)
  const row = { variant: 'unstyled', classNames: PROPERTY } as const
  return (
    <>
      <Contested field="title" autosave={autosave}>
        <Textarea
          variant="unstyled"
          classNames={{ input: classes.title ?? '' }}
          aria-label={strings.title}
          placeholder={strings.untitled}
          autosize
          minRows={1}
          maxRows={6}
          data-first-field
          data-autofocus
          onKeyDown={(event) => {
            // A title is one line, however it is broken.
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            void autosave.settle()
          }}
          {...text('title')}
          onChange={(event) => set('title', event.currentTarget.value.replace(/\n+/g, ' '))}
        />
      </Contested>
      {address && (
        <Anchor className={classes.site ?? ''} href={address} target="_blank" rel="noreferrer" tabIndex={-1}>
          {siteLabel({ url, domain })}
        </Anchor>
      )}
      {(type === 'color' || type === 'text') && (
        <Contested field="content" autosave={autosave}>
          {type === 'color' ? (
            <TextInput {...row} label={strings.content.color} {...text('content')} />
          ) : (
            <Textarea
              variant="unstyled"
              classNames={{ input: classes.text ?? '' }}
              aria-label={strings.content.text}
              autosize
              minRows={3}
              maxRows={24}
              {...text('content')}
            />
          )}
        </Contested>
      )}
      {(type === 'link' || type === 'image') && picture === null && (
        <Contested field="url" autosave={autosave}>
          <TextInput {...row} label={strings.url} {...text('url')} />
        </Contested>
      )}
      <Contested field="tags" autosave={autosave}>
        <TagsField
          {...row}
          label={strings.tags}
          value={draft.tags}
          error={autosave.faultOf('tags')}
          onChange={(tags) => set('tags', tags)}
        />
        <OfferedTags
          about={{ url: draft.url, title: draft.title, description: draft.description }}
          tags={draft.tags}
          onTake={(tag) => set('tags', [...draft.tags, tag])}
        />
      </Contested>
      <Contested field="description" autosave={autosave}>
        <Textarea
          {...row}
          label={strings.description}
          placeholder={strings.addDescription}
          autosize
          minRows={1}
          maxRows={10}
          {...text('description')}
        />
      </Contested>
      <Contested field="place" autosave={autosave}>
        <PlaceSelect
          {...row}
          value={draft.place}
          error={autosave.faultOf('place')}
          onChange={(place) => set('place', place)}
        />
      </Contested>
    </>
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
