import { plural, t } from '@lingui/core/macro'
import { Button, Group, List, Loader, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { TRASH_DAYS } from '../../../src-main/contract/bookmark.ts'
import type { DeletionPreview } from '../../../src-main/contract/organization.ts'
import { api, ask } from '../../api/client.ts'
import { deletionOptions } from '../../api/queries.ts'
import type { UndoPart } from '../../api/undo.ts'
import { agentName } from '../../lib/agents.ts'
import { number } from '../../lib/locale.ts'
import { errorText } from '../../lib/problem-text.ts'

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
      title={organization && t`Delete “${organization.name}”?`}
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
            <Text size="sm">{t`Checking what it contains …`}</Text>
          </Group>
        )}
        {preview.data && (
          <>
            <FateChoice preview={preview.data} fate={fate} onChange={setFate} />
            <EndingKeys keys={preview.data.keys} />
            <TextInput
              label={t`Type “${name}” to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          </>
        )}
        {fault && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {errorText(fault)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t`Cancel`}
          </Button>
          <Button type="submit" color="red.9" loading={deleting.isPending} disabled={!ready}>
            {t`Delete`}
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
  if (bookmarks === 0) return <Text size="sm">{t`It has no bookmarks.`}</Text>
  return (
    <Radio.Group
      label={plural(bookmarks, {
        one: 'It has one bookmark. Where should it go?',
        other: 'It has # bookmarks. Where should they go?'
      })}
      value={fate}
      onChange={(value) => onChange(value === 'trash' ? 'trash' : 'profile')}
    >
      <Stack gap="sm" mt="sm">
        <Radio
          value="profile"
          label={plural(bookmarks, { one: 'Keep it', other: 'Keep them' })}
          description={[
            plural(bookmarks, {
              one: 'It becomes a private bookmark of yours.',
              other: 'They become your private bookmarks.'
            }),
            duplicates > 0 &&
              plural(duplicates, {
                one: 'You already have one of these pages. Your bookmark gets the tags too, and the copy goes to the trash.',
                other:
                  'You already have # of these pages. Your bookmarks get the tags too, and the copies go to the trash.'
              })
          ]
            .filter(Boolean)
            .join(' ')}
        />
        <Radio
          value="trash"
          label={plural(bookmarks, { one: 'Move it to the trash', other: 'Move them to the trash' })}
          description={plural(bookmarks, {
            one: `It can be restored for ${TRASH_DAYS} days.`,
            other: `They can be restored for ${TRASH_DAYS} days.`
          })}
        />
      </Stack>
    </Radio.Group>
  )
}

function EndingKeys({ keys }: { keys: DeletionPreview['keys'] }) {
  if (keys.length === 0) return <Text size="sm">{t`It has no keys.`}</Text>
  return (
    <div>
      <Text size="sm">
        {plural(keys.length, {
          one: 'This key is revoked: its next call is refused.',
          other: 'These # keys are revoked: their next calls are refused.'
        })}
      </Text>
      <List size="sm" mt={4} mah={150} style={{ overflowY: 'auto' }}>
        {keys.map(({ id, name, client }) => (
          <List.Item key={id}>{client === null ? name : t`${name}, last used by ${agentName(client)}`}</List.Item>
        ))}
      </List>
    </div>
  )
}

function outcome(name: string, { moved, trashed, merged }: Record<'moved' | 'trashed' | 'merged', number>): string {
  return [
    t`“${name}” is deleted.`,
    moved > 0 && t`${plural(moved, { one: '# bookmark', other: '# bookmarks' })} moved to you.`,
    merged > 0 && t`${number(merged)} merged with yours.`,
    trashed > 0 && t`${plural(trashed, { one: '# bookmark', other: '# bookmarks' })} in the trash.`
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
