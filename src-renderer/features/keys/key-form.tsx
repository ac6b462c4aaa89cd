import { t } from '@lingui/core/macro'
import { Button, Group, Paper, Select, SimpleGrid, Stack, Switch, TagsInput, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type api, endsSession } from '../../api/client.ts'
import { organizationsOptions, tagsOptions } from '../../api/queries.ts'
import { errorText } from '../../lib/problem-text.ts'
import { EditorChips } from './connect-editor.tsx'
import { EDITORS } from './editors.ts'

/** Maximum number of tags of a key, as `MAX_KEY_TAGS` in the contract. */
const MAX_TAGS = 5

/** Days a key may be given. */
const DAYS = [7, 30, 90, 365]

/** Lists open within the page's landmark, where screen readers look for what belongs to the form. */
const IN_PLACE = { withinPortal: false }

export type KeyRequest = Parameters<typeof api.keys.$post>[0]['json']

interface KeyFormProps {
  /** There is no key yet, so nobody opened the form. */
  first: boolean
  onSubmit: (request: KeyRequest) => Promise<void>
  onCancel?: () => void
}

interface Draft {
  name: string
  /** Its organization's id; empty where it is the owner's own. */
  owner: string
  /** Days until it ends; empty where it never does. */
  expires: string
  readOnly: boolean
  tags: string[]
}

const EMPTY: Draft = { name: '', owner: '', expires: '', readOnly: false, tags: [] }

/** Asks for what a new key needs. */
export function KeyForm({ first, onSubmit, onCancel }: KeyFormProps) {
  const [busy, setBusy] = useState(false)
  const [draft, setDraft] = useState(EMPTY)
  const [fault, setFault] = useState<string>()
  const { name } = draft
  const set = (changed: Partial<Draft>) => setDraft((now) => ({ ...now, ...changed }))

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return setFault(t`A key needs a name.`)
    setFault(undefined)
    setBusy(true)
    try {
      await onSubmit(requestOf(draft))
    } catch (error) {
      if (!endsSession(error)) setFault(errorText(error))
      setBusy(false)
    }
  }
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="new-key">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2} size="h5" id="new-key">
            {first ? t`Your first key` : t`New key`}
          </Title>
          <TextInput
            label={t`Name`}
            description={t`Shown in the list of keys. Use one key for each editor: choose yours, or enter any name.`}
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={fault}
            maxLength={80}
            autoComplete="off"
            autoFocus={!first}
            required
          />
          <EditorChips
            label={t`Name it after an editor`}
            value={EDITORS.find((editor) => editor.name.toLowerCase() === name.trim().toLowerCase())?.id ?? ''}
            onChange={(id) => set({ name: EDITORS.find((editor) => editor.id === id)?.name ?? name })}
          />
          <OwnerAndEnd draft={draft} onChange={set} />
          <Rights draft={draft} onChange={set} />
          <Group gap="sm">
            <Button type="submit" loading={busy}>
              {t`Create key`}
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {t`Cancel`}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

function requestOf({ name, owner, expires, readOnly, tags }: Draft): KeyRequest {
  return {
    name: name.trim(),
    readOnly,
    tags: readOnly ? undefined : tags,
    organization: owner || undefined,
    expires: expires === '' ? undefined : Number(expires)
  }
}

interface PartProps {
  draft: Draft
  onChange(changed: Partial<Draft>): void
}

/** Whose bookmarks the key is for, and how long. */
function OwnerAndEnd({ draft: { owner, expires }, onChange }: PartProps) {
  const organizations = useQuery(organizationsOptions).data ?? []
  const owners = organizations.map(({ id, name }) => ({ value: id, label: name }))
  const ends = DAYS.map((days) => ({
    value: String(days),
    label: days === 365 ? t`After a year` : t`After ${days} days`
  }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t`Owner`}
        description={
          owner === ''
            ? t`Sees everything you have.`
            : t`Sees that organization’s bookmarks and public ones, and saves into it.`
        }
        data={[{ value: '', label: t`Me` }, ...owners]}
        value={owner}
        onChange={(value) => onChange({ owner: value ?? '' })}
        allowDeselect={false}
        comboboxProps={IN_PLACE}
      />
      <Select
        label={t`Expires`}
        description={t`After that, the key stops working.`}
        data={[{ value: '', label: t`Never` }, ...ends]}
        value={expires}
        onChange={(value) => onChange({ expires: value ?? '' })}
        allowDeselect={false}
        comboboxProps={IN_PLACE}
      />
    </SimpleGrid>
  )
}

/** Whether the key may save, and the tags of what it saves. */
function Rights({ draft: { readOnly, tags }, onChange }: PartProps) {
  const known = useQuery(tagsOptions).data ?? []
  return (
    <>
      <Switch
        label={t`Read-only`}
        description={t`It can search, but not save.`}
        checked={readOnly}
        onChange={(event) => onChange({ readOnly: event.currentTarget.checked })}
      />
      {!readOnly && (
        <TagsInput
          label={t`Tags`}
          description={t`Everything it saves gets these tags. Up to five.`}
          data={known.map(({ name }) => name)}
          value={tags}
          onChange={(chosen) => onChange({ tags: chosen })}
          limit={20}
          maxTags={MAX_TAGS}
          splitChars={[',']}
          acceptValueOnBlur
          comboboxProps={IN_PLACE}
        />
      )}
    </>
  )
}
