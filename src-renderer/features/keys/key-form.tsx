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

/** The lifetimes of a key that can be chosen, in days. */
const DAYS = [7, 30, 90, 365]

/** Lists open inside the form, so that they are in its landmark for screen readers. */
const IN_PLACE = { withinPortal: false }

export type KeyRequest = Parameters<typeof api.keys.$post>[0]['json']

interface KeyFormProps {
  /** Whether there is no key yet, so that the form is shown without being opened. */
  first: boolean
  onSubmit: (request: KeyRequest) => Promise<void>
  onCancel?: () => void
}

interface Draft {
  name: string
  /** The id of its organization; empty for a key of the profile. */
  owner: string
  /** Days until it expires; empty for never. */
  expires: string
  readOnly: boolean
  tags: string[]
}

const EMPTY: Draft = { name: '', owner: '', expires: '', readOnly: false, tags: [] }

/** A form for a new key. */
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
              value={findEditor(form.values.name)?.id ?? ''}
              onChange={(id) => form.setFieldValue('name', EDITORS.find((editor) => editor.id === id)?.name ?? '')}
            />
            <OwnerAndExpiry form={form} />
            <Rights form={form} />
          </>
        )}
      </Form>
    </Paper>
  )
}

const findEditor = (name: string) => EDITORS.find((editor) => editor.name.toLowerCase() === name.trim().toLowerCase())

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

/** The option that creates an organization. No organization has this id. */
const NEW_ORGANIZATION = 'new'

/** The owner of the bookmarks that the key can use, and when it expires. */
function OwnerAndExpiry({ form }: KeyFields) {
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

/** Whether the key can save bookmarks, and the tags of these. */
function Rights({ form }: KeyFields) {
  const tags = useQuery(tagsOptions).data ?? []
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
          data={tags.map(({ name }) => name)}
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
