import { msg, t } from '@lingui/core/macro'
import { Alert, Anchor, Box, Button, Fieldset, Group, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FocusEvent, FormEvent, KeyboardEvent, ReactNode } from 'react'
import { LIMITS } from '../../../../src-main/contract/bookmark.ts'
import { type Autosave, useAutosave } from '../../../api/autosave.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import type { Field, Fields as FieldValues } from '../../../api/edits.ts'
import { notedOpening } from '../../../api/mutations.ts'
import { organizationsOptions } from '../../../api/queries.ts'
import { agentName } from '../../../lib/agents.ts'
import { longDate } from '../../../lib/dates.ts'
import { openable, siteLabel } from '../../../lib/labels.ts'
import { i18n } from '../../../lib/locale.ts'
import { PlaceSelect, placeName } from '../place-select.tsx'
import { OfferedTags, TagsField } from '../tags-field.tsx'
import classes from './panel.module.css'

interface FormProps {
  bookmark: ShownBookmark
}

/** The fields of a bookmark. Changes are saved after a pause, and when the focus leaves the fields. */
export function Form({ bookmark }: FormProps) {
  const autosave = useAutosave(bookmark)
  // Not disabled: if the bookmark is deleted while the user types, the field keeps the focus, and no key acts on the list.
  const readOnly = bookmark.deletedAt !== null

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void autosave.saveNow()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void autosave.saveNow()
  }
  function onBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) void autosave.saveNow()
  }
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Fieldset variant="unstyled" m={0} miw={0} data-read-only={readOnly || undefined} aria-label={t`Fields`}>
        <Fields bookmark={bookmark} autosave={autosave} readOnly={readOnly} />
      </Fieldset>
      <Group
        justify="space-between"
        wrap="nowrap"
        mt="md"
        pt="0.75rem"
        style={{ borderTop: '1px solid var(--earmark-line)' }}
      >
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
  readOnly: boolean
}

/** The fields that a bookmark of this type has. */
function Fields({ bookmark: { id, type, picture, url, domain }, autosave, readOnly }: FieldsProps) {
  const { fields, set, faultOf } = autosave
  const address = openable(url)
  return (
    <>
      <ConflictAlert field="title" autosave={autosave}>
        <TitleField autosave={autosave} readOnly={readOnly} />
      </ConflictAlert>
      {address && (
        <Anchor
          display="block"
          w="fit-content"
          maw="100%"
          mt="0.3rem"
          mb="0.5rem"
          c="dimmed"
          fz="xs"
          truncate
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
        <ConflictAlert field="content" autosave={autosave}>
          <ContentField type={type} autosave={autosave} readOnly={readOnly} />
        </ConflictAlert>
      )}
      <ConflictAlert field="tags" autosave={autosave}>
        <TagsField
          {...ROW}
          label={t`Tags`}
          value={fields.tags}
          error={faultOf('tags')}
          readOnly={readOnly}
          onChange={(tags) => set('tags', tags)}
        />
        {!readOnly && (
          <Box className={classes.property ?? ''} ps="0.4rem">
            <OfferedTags
              about={{ url: fields.url, title: fields.title, description: fields.description }}
              tags={fields.tags}
              onTake={(tag) => set('tags', [...fields.tags, tag])}
            />
          </Box>
        )}
      </ConflictAlert>
      {(type === 'link' || type === 'image') && picture === null && (
        <ConflictAlert field="url" autosave={autosave}>
          <TextInput {...ROW} label={t`Address`} readOnly={readOnly} {...textProps('url', autosave)} />
        </ConflictAlert>
      )}
      <ConflictAlert field="description" autosave={autosave}>
        <Textarea
          {...ROW}
          label={t`Description`}
          placeholder={t`Add a description`}
          autosize
          minRows={1}
          maxRows={10}
          readOnly={readOnly}
          {...textProps('description', autosave)}
        />
      </ConflictAlert>
      <PlaceField autosave={autosave} readOnly={readOnly} />
    </>
  )
}

type TextProps = Pick<FieldsProps, 'autosave' | 'readOnly'>

function TitleField({ autosave, readOnly }: TextProps) {
  return (
    <Textarea
      variant="unstyled"
      classNames={{ input: classes.title ?? '' }}
      aria-label={t`Title`}
      placeholder={t`Untitled`}
      autosize
      minRows={1}
      maxRows={6}
      // If nothing can be typed, the list keeps the focus.
      data-first-field={!readOnly || undefined}
      data-autofocus={!readOnly || undefined}
      readOnly={readOnly}
      onKeyDown={(event) => {
        // A title is one line, although its field wraps.
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        void autosave.saveNow()
      }}
      {...textProps('title', autosave)}
      onChange={(event) => autosave.set('title', event.currentTarget.value.replace(/\n+/g, ' '))}
    />
  )
}

/** The visibility of the bookmark. Hidden for a private bookmark if there is no organization to share it with. */
function PlaceField({ autosave, readOnly }: TextProps) {
  const { fields, set, faultOf, valueElsewhere } = autosave
  const organizations = useQuery(organizationsOptions)
  const isPrivate = fields.place?.visibility === 'private' && valueElsewhere('place') === undefined
  if (isPrivate && !organizations.data?.length) return null
  return (
    <ConflictAlert field="place" autosave={autosave}>
      <PlaceSelect
        {...ROW}
        value={fields.place}
        error={faultOf('place')}
        readOnly={readOnly}
        onChange={(place) => set('place', place)}
      />
    </ConflictAlert>
  )
}

/** The content of a color or a text. */
function ContentField({ type, autosave, readOnly }: TextProps & { type: 'color' | 'text' }) {
  const content = { readOnly, ...textProps('content', autosave) }
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

/** Returns the props of a text field. */
function textProps(name: 'title' | 'url' | 'description' | 'content', { fields, faultOf, set }: Autosave) {
  return {
    value: fields[name],
    maxLength: LIMITS[name],
    error: faultOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value)
  }
}

/** A field. If it was changed elsewhere while the user typed, an alert asks which version to keep. */
function ConflictAlert({ field, autosave, children }: { field: Field; autosave: Autosave; children: ReactNode }) {
  const theirs = autosave.valueElsewhere(field)
  return (
    <>
      {children}
      {theirs !== undefined && (
        <Alert color="yellow" p="xs" role="alert">
          <Text size="sm" lineClamp={4}>
            {t`This was changed elsewhere while you typed.`} {t`It is now “${textOf(theirs)}”.`}
          </Text>
          <Group gap="xs" mt={6}>
            <Button size="compact-sm" variant="default" onClick={() => autosave.chooseVersion(field, true)}>
              {t`Keep mine`}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => autosave.chooseVersion(field, false)}>
              {t`Use the other version`}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}

function textOf(value: FieldValues[Field]): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : placeName(value)
}

const PROGRESS = { saving: msg`Saving …`, saved: msg`Saved`, refused: msg`Not saved` }
