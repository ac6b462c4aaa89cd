import { msg, t } from '@lingui/core/macro'
import { Alert, Anchor, Button, Group, Text, Textarea, TextInput } from '@mantine/core'
import type { FocusEvent, FormEvent, KeyboardEvent, ReactNode } from 'react'
import { LIMITS } from '../../../../src-main/contract/bookmark.ts'
import { type Autosave, useAutosave } from '../../../api/autosave.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import type { Field } from '../../../api/edits.ts'
import { notedOpening } from '../../../api/mutations.ts'
import { agentName } from '../../../lib/agents.ts'
import { longDate } from '../../../lib/dates.ts'
import { siteLabel } from '../../../lib/labels.ts'
import { i18n } from '../../../lib/locale.ts'
import { openable } from '../look.ts'
import { PlaceSelect } from '../place-select.tsx'
import { OfferedTags, TagsField } from '../tags-field.tsx'
import classes from './panel.module.css'

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
      <fieldset className={classes.fields} disabled={deletedAt !== null} aria-label={t`Fields`}>
        <Fields bookmark={bookmark} autosave={autosave} />
      </fieldset>
      <Group justify="space-between" wrap="nowrap" mt="md" className={classes.foot ?? ''}>
        <Text size="xs" c="dimmed">
          {savedLine(bookmark)}
        </Text>
        <Text size="xs" role="status" c={autosave.progress === 'refused' ? 'var(--mantine-color-error)' : 'dimmed'}>
          {autosave.progress !== 'untouched' && i18n._(PROGRESS[autosave.progress])}
        </Text>
      </Group>
    </form>
  )
}

function savedLine({ createdAt, savedBy }: ShownBookmark): string {
  const date = longDate(createdAt)
  if (!savedBy) return t`Saved ${date}`
  const { key, client } = savedBy
  return client === null
    ? t`Saved ${date} with the key “${key}”`
    : t`Saved ${date} by ${agentName(client)} with the key “${key}”`
}

const ROW = {
  variant: 'unstyled',
  classNames: { root: classes.property ?? '', label: classes.name ?? '', input: classes.value ?? '' }
} as const

interface FieldsProps extends FormProps {
  autosave: Autosave
}

/** The fields that a bookmark of this type has. */
function Fields({ bookmark: { id, type, picture, url, domain }, autosave }: FieldsProps) {
  const { draft, set, faultOf } = autosave
  const address = openable(url)
  return (
    <>
      <Contested field="title" autosave={autosave}>
        <TitleField autosave={autosave} />
      </Contested>
      {address && (
        <Anchor
          className={classes.site ?? ''}
          href={address}
          target="_blank"
          rel="noreferrer"
          tabIndex={-1}
          {...notedOpening(id)}
        >
          {siteLabel({ url, domain })}
        </Anchor>
      )}
      {(type === 'color' || type === 'text') && (
        <Contested field="content" autosave={autosave}>
          <ContentField type={type} autosave={autosave} />
        </Contested>
      )}
      {(type === 'link' || type === 'image') && picture === null && (
        <Contested field="url" autosave={autosave}>
          <TextInput {...ROW} label={t`Address`} {...typed('url', autosave)} />
        </Contested>
      )}
      <Contested field="tags" autosave={autosave}>
        <TagsField
          {...ROW}
          label={t`Tags`}
          value={draft.tags}
          error={faultOf('tags')}
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
          {...ROW}
          label={t`Description`}
          placeholder={t`Add a description`}
          autosize
          minRows={1}
          maxRows={10}
          {...typed('description', autosave)}
        />
      </Contested>
      <Contested field="place" autosave={autosave}>
        <PlaceSelect {...ROW} value={draft.place} error={faultOf('place')} onChange={(place) => set('place', place)} />
      </Contested>
    </>
  )
}

function TitleField({ autosave }: { autosave: Autosave }) {
  return (
    <Textarea
      variant="unstyled"
      classNames={{ input: classes.title ?? '' }}
      aria-label={t`Title`}
      placeholder={t`Untitled`}
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
      {...typed('title', autosave)}
      onChange={(event) => autosave.set('title', event.currentTarget.value.replace(/\n+/g, ' '))}
    />
  )
}

/** The color or the text that the bookmark is. */
function ContentField({ type, autosave }: { type: 'color' | 'text'; autosave: Autosave }) {
  const content = typed('content', autosave)
  if (type === 'color') return <TextInput {...ROW} label={t`Color`} {...content} />
  return (
    <Textarea
      variant="unstyled"
      classNames={{ input: classes.text ?? '' }}
      aria-label={t`Text`}
      autosize
      minRows={3}
      maxRows={24}
      {...content}
    />
  )
}

/** Props of a field that is typed. */
function typed(name: 'title' | 'url' | 'description' | 'content', { draft, faultOf, set }: Autosave) {
  return {
    value: draft[name],
    maxLength: LIMITS[name],
    error: faultOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value)
  }
}

/** A field; and, where it was changed elsewhere while one typed, the question what is to stay. */
function Contested({ field, autosave, children }: { field: Field; autosave: Autosave; children: ReactNode }) {
  return (
    <>
      {children}
      {autosave.isContested(field) && (
        <Alert color="yellow" p="xs" role="alert">
          <Text size="sm" lineClamp={4}>
            {t`This was changed elsewhere while you typed.`} {autosave.theirs(field)}
          </Text>
          <Group gap="xs" mt={6}>
            <Button size="compact-sm" variant="default" onClick={() => autosave.decide(field, true)}>
              {t`Keep mine`}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => autosave.decide(field, false)}>
              {t`Use the other version`}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}

const PROGRESS = { saving: msg`Saving …`, saved: msg`Saved`, refused: msg`Not saved` }
