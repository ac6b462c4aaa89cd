import { Button, Group, List, Loader, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { DeletionPreview } from '../../../src-main/contract/organization.ts'
import { api, ask } from '../../api/client.ts'
import { deletionOptions } from '../../api/queries.ts'
import type { UndoPart } from '../../api/undo.ts'
import { agentName } from '../../lib/agents.ts'
import { common } from '../../strings/common.ts'
import { organizations as strings } from '../../strings/organizations.ts'

interface DeleteDialogProps {
  organization: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted: (message: string, parts: UndoPart[]) => void
}

/** Says what deleting an organization does to its bookmarks and keys, and asks where the bookmarks go. */
export function DeleteDialog({ organization, onClose, onDeleted }: DeleteDialogProps) {
  return (
    <Modal
      opened={organization !== undefined}
      onClose={onClose}
      title={organization && strings.deleteTitle(organization.name)}
    >
      {organization && <Deletion {...organization} onClose={onClose} onDeleted={onDeleted} />}
    </Modal>
  )
}

type DeletionProps = Omit<DeleteDialogProps, 'organization'> & { id: string; name: string }

function Deletion({ id, name, onClose, onDeleted }: DeletionProps) {
  const preview = useQuery(deletionOptions(id))
  const deleting = useDeleteOrganization()
  const [fate, setFate] = useState<BookmarkFate>('profile')
  const [typed, setTyped] = useState('')
  const ready = preview.data !== undefined && typed.trim().toLowerCase() === name.toLowerCase()

  function remove(event: FormEvent) {
    event.preventDefault()
    if (!ready) return
    deleting.mutate(
      { id, bookmarks: fate },
      {
        onSuccess: (done) =>
          onDeleted(outcome(name, done), [done.undo === null ? { organization: name } : { step: done.undo }])
      }
    )
  }

  const fault = preview.error ?? deleting.error
  return (
    <form onSubmit={remove}>
      <Stack>
        {preview.isPending && (
          <Group gap="xs" aria-busy="true">
            <Loader size="xs" role="presentation" />
            <Text size="sm">{strings.looking}</Text>
          </Group>
        )}
        {preview.data && (
          <>
            <FateChoice preview={preview.data} fate={fate} onChange={setFate} />
            <EndingKeys keys={preview.data.keys} />
            <TextInput
              label={common.typeToConfirm(name)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          </>
        )}
        {fault && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault.message || common.unexpected}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {common.cancel}
          </Button>
          <Button type="submit" color="red.9" loading={deleting.isPending} disabled={!ready}>
            {strings.delete}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface FateChoiceProps {
  preview: DeletionPreview
  fate: BookmarkFate
  onChange(fate: BookmarkFate): void
}

/** Where the organization's bookmarks go. */
function FateChoice({ preview: { bookmarks, duplicates }, fate, onChange }: FateChoiceProps) {
  if (bookmarks === 0) return <Text size="sm">{strings.empty}</Text>
  return (
    <Radio.Group
      label={strings.has(bookmarks)}
      value={fate}
      onChange={(value) => onChange(value === 'trash' ? 'trash' : 'profile')}
    >
      <Stack gap="sm" mt="sm">
        <Radio
          value="profile"
          label={strings.toProfile(bookmarks)}
          description={[strings.toProfileText(bookmarks), duplicates > 0 && strings.duplicates(duplicates)]
            .filter(Boolean)
            .join(' ')}
        />
        <Radio value="trash" label={strings.toTrash(bookmarks)} description={strings.toTrashText(bookmarks)} />
      </Stack>
    </Radio.Group>
  )
}

function EndingKeys({ keys }: { keys: DeletionPreview['keys'] }) {
  if (keys.length === 0) return <Text size="sm">{strings.noKeys}</Text>
  return (
    <div>
      <Text size="sm">{strings.keys(keys.length)}</Text>
      <List size="sm" mt={4} mah={150} style={{ overflowY: 'auto' }}>
        {keys.map(({ id, name, client }) => (
          <List.Item key={id}>{client === null ? name : strings.keyOf(name, agentName(client))}</List.Item>
        ))}
      </List>
    </div>
  )
}

function outcome(name: string, { moved, trashed, merged }: Record<'moved' | 'trashed' | 'merged', number>): string {
  return [
    strings.gone(name),
    moved > 0 && strings.moved(moved),
    merged > 0 && strings.merged(merged),
    trashed > 0 && strings.trashed(trashed)
  ]
    .filter(Boolean)
    .join(' ')
}

type BookmarkFate = 'profile' | 'trash'

export const useCreateOrganization = () => useChange((name: string) => ask(api.organizations.$post({ json: { name } })))

export const useRenameOrganization = () =>
  useChange(({ id, name }: { id: string; name: string }) =>
    ask(api.organizations[':id'].$patch({ param: { id }, json: { name } }))
  )

const useDeleteOrganization = () =>
  useChange(({ id, bookmarks }: { id: string; bookmarks: BookmarkFate }) =>
    ask(api.organizations[':id'].$delete({ param: { id }, query: { bookmarks } }))
  )

/** A change whose dialog says what goes wrong. */
function useChange<Asked, Done>(mutationFn: (asked: Asked) => Promise<Done>) {
  return useMutation({ mutationFn, meta: { quiet: true, changes: ['organizations'] } })
}
