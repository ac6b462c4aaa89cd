import { t } from '@lingui/core/macro'
import { Paper, Select, SimpleGrid, Switch, TagsInput, TextInput, Title } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { api } from '../../api/client.ts'
import { organizationsOptions, tagsOptions } from '../../api/queries.ts'
import { useNewOrganization } from '../../shared/new-organization.ts'
import { Form } from '../../ui/form-modal.tsx'
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
  /** Its organization's id; empty if it is the owner's own. */
  owner: string
  /** Days until it ends; empty if it never does. */
  expires: string
  readOnly: boolean
  tags: string[]
}

const EMPTY: Draft = { name: '', owner: '', expires: '', readOnly: false, tags: [] }

/** Asks for what a new key needs. */
export function KeyForm({ first, onSubmit, onCancel }: KeyFormProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="new-key">
      <Title order={2} size="h5" id="new-key" mb="md">
        {first ? t`Your first key` : t`New key`}
      </Title>
      <Form
        initialValues={EMPTY}
        validate={({ name }) => (name.trim() === '' ? { name: t`A key needs a name.` } : {})}
        action={t`Create key`}
        faultAt="name"
        onSubmit={(draft) => onSubmit(requestOf(draft))}
        onCancel={onCancel}
      >
        {(form) => (
          <>
            <TextInput
              label={t`Name`}
              description={t`Shown in the list of keys. Use one key for each editor: choose yours, or enter any name.`}
              maxLength={80}
              autoComplete="off"
              autoFocus={!first}
              required
              {...form.getInputProps('name')}
            />
            <EditorChips
              label={t`Name it after an editor`}
              value={editorCalled(form.values.name)?.id ?? ''}
              onChange={(id) => form.setFieldValue('name', EDITORS.find((editor) => editor.id === id)?.name ?? '')}
            />
            <OwnerAndEnd form={form} />
            <Rights form={form} />
          </>
        )}
      </Form>
    </Paper>
  )
}

const editorCalled = (name: string) => EDITORS.find((editor) => editor.name.toLowerCase() === name.trim().toLowerCase())

function requestOf({ name, owner, expires, readOnly, tags }: Draft): KeyRequest {
  return {
    name: name.trim(),
    readOnly,
    tags: readOnly ? undefined : tags,
    organization: owner || undefined,
    expires: expires === '' ? undefined : Number(expires)
  }
}

type KeyFields = { form: UseFormReturnType<Draft> }

/** The choice of an owner that is yet to be made. No organization has this id. */
const NEW_ORGANIZATION = 'new'

/** Whose bookmarks the key is for, and how long. */
function OwnerAndEnd({ form }: KeyFields) {
  const organizations = useQuery(organizationsOptions).data ?? []
  const createOrganization = useNewOrganization()
  const owners = organizations.map(({ id, name }) => ({ value: id, label: name }))
  const setOwner = (owner: string) => form.setFieldValue('owner', owner)
  const ends = DAYS.map((days) => ({
    value: String(days),
    label: days === 365 ? t`After a year` : t`After ${days} days`
  }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t`Owner`}
        description={
          form.values.owner === ''
            ? t`Sees everything you have.`
            : t`Sees that organization’s bookmarks and public ones, and saves into it.`
        }
        data={[{ value: '', label: t`Me` }, ...owners, { value: NEW_ORGANIZATION, label: t`New organization …` }]}
        allowDeselect={false}
        comboboxProps={IN_PLACE}
        {...form.getInputProps('owner')}
        onChange={(owner) => (owner === NEW_ORGANIZATION ? createOrganization(setOwner) : setOwner(owner ?? ''))}
      />
      <Select
        label={t`Expires`}
        description={t`After that, the key stops working.`}
        data={[{ value: '', label: t`Never` }, ...ends]}
        allowDeselect={false}
        comboboxProps={IN_PLACE}
        {...form.getInputProps('expires')}
      />
    </SimpleGrid>
  )
}

/** Whether the key may save, and the tags of what it saves. */
function Rights({ form }: KeyFields) {
  const known = useQuery(tagsOptions).data ?? []
  return (
    <>
      <Switch
        label={t`Read-only`}
        description={t`It can search, but not save.`}
        {...form.getInputProps('readOnly', { type: 'checkbox' })}
      />
      {!form.values.readOnly && (
        <TagsInput
          label={t`Tags`}
          description={t`Everything it saves gets these tags. Up to five.`}
          data={known.map(({ name }) => name)}
          limit={20}
          maxTags={MAX_TAGS}
          splitChars={[',']}
          acceptValueOnBlur
          comboboxProps={IN_PLACE}
          {...form.getInputProps('tags')}
        />
      )}
    </>
  )
}
