import { Button, Group, Paper, Select, SimpleGrid, Stack, Switch, TagsInput, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useOrganizations, useTags } from '../../shared/bookmark-data.ts'
import { endsSession } from '../../shared/request.ts'
import { common } from '../../strings/common.ts'
import { keys } from '../../strings/keys.ts'
import { EditorChips } from './editor-chips.tsx'
import { EDITORS } from './editors.ts'
import type { KeyRequest } from './key-data.ts'

const strings = keys.form

/** A key gives no more: MOST_KEY_TAGS of the contract. */
const MOST_TAGS = 5

/** Days a key may be given. */
const DAYS = [7, 30, 90, 365]

/** Lists open within the page's landmark, where screen readers look for what belongs to the form. */
const IN_PLACE = { withinPortal: false }

interface KeyFormProps {
  /** There is no key yet, so nobody opened the form. */
  first: boolean
  onSubmit: (request: KeyRequest) => Promise<void>
  onCancel?: () => void
}

/** Asks for what a new key needs. */
export function KeyForm({ first, onSubmit, onCancel }: KeyFormProps) {
  const organizations = useOrganizations()
  const known = useTags()
  const [busy, setBusy] = useState(false)
  const [name, setName] = useState('')
  const [owner, setOwner] = useState('')
  const [expires, setExpires] = useState('')
  const [readOnly, setReadOnly] = useState(false)
  const [tags, setTags] = useState<string[]>([])
  const [fault, setFault] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return setFault(strings.nameMissing)
    setFault(undefined)
    const request = {
      name: name.trim(),
      readOnly,
      tags: readOnly ? undefined : tags,
      organization: owner || undefined,
      expires: expires === '' ? undefined : Number(expires)
    }
    setBusy(true)
    try {
      await onSubmit(request)
    } catch (error) {
      if (!endsSession(error)) setFault(error instanceof Error ? error.message : common.unexpected)
      setBusy(false)
    }
  }

  const owners = [
    { value: '', label: strings.me },
    ...(organizations.data ?? []).map(({ id, name: label }) => ({ value: id, label }))
  ]
  const ends = [
    { value: '', label: strings.never },
    ...DAYS.map((days) => ({ value: String(days), label: strings.days(days) }))
  ]
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="new-key">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2} size="h5" id="new-key">
            {first ? strings.first : strings.title}
          </Title>
          <TextInput
            label={strings.name}
            description={strings.nameText}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={fault}
            maxLength={80}
            autoComplete="off"
            autoFocus={!first}
            required
          />
          <EditorChips
            label={strings.editor}
            value={EDITORS.find((editor) => editor.name.toLowerCase() === name.trim().toLowerCase())?.id ?? ''}
            onChange={(id) => setName(EDITORS.find((editor) => editor.id === id)?.name ?? name)}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Select
              label={strings.owner}
              description={owner === '' ? strings.ownerMe : strings.ownerOrganization}
              data={owners}
              value={owner}
              onChange={(value) => setOwner(value ?? '')}
              allowDeselect={false}
              comboboxProps={IN_PLACE}
            />
            <Select
              label={strings.expiry}
              description={strings.expiryText}
              data={ends}
              value={expires}
              onChange={(value) => setExpires(value ?? '')}
              allowDeselect={false}
              comboboxProps={IN_PLACE}
            />
          </SimpleGrid>
          <Switch
            label={strings.readOnly}
            description={strings.readOnlyText}
            checked={readOnly}
            onChange={(event) => setReadOnly(event.currentTarget.checked)}
          />
          {!readOnly && (
            <TagsInput
              label={strings.tags}
              description={strings.tagsText}
              data={(known.data ?? []).map((tag) => tag.name)}
              value={tags}
              onChange={setTags}
              limit={20}
              maxTags={MOST_TAGS}
              splitChars={[',']}
              acceptValueOnBlur
              comboboxProps={IN_PLACE}
            />
          )}
          <Group gap="sm">
            <Button type="submit" loading={busy}>
              {strings.submit}
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {common.cancel}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
