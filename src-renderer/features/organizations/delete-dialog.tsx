import { Button, Group, Loader, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../strings/common.ts'
import { organizations as strings } from '../../strings/organizations.ts'
import { type BookmarkFate, useDeleteOrganization, useDeletionPreview } from './organization-data.ts'

interface DeleteDialogProps {
  organization: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted: (message: string) => void
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
  const preview = useDeletionPreview(id)
  const deleting = useDeleteOrganization()
  const [fate, setFate] = useState<BookmarkFate>('profile')

  function remove() {
    deleting.mutate(
      { id, bookmarks: fate },
      { onSuccess: (done) => onDeleted([strings.gone(name), ...outcome(done)].join(' ')) }
    )
  }

  const fault = preview.error ?? deleting.error
  return (
    <Stack>
      {preview.isPending && (
        <Group gap="xs" aria-busy="true">
          <Loader size="xs" role="presentation" />
          <Text size="sm">{strings.looking}</Text>
        </Group>
      )}
      {preview.data && (
        <>
          {preview.data.bookmarks === 0 ? (
            <Text size="sm">{strings.empty}</Text>
          ) : (
            <Radio.Group
              label={strings.has(preview.data.bookmarks)}
              value={fate}
              onChange={(value) => setFate(value === 'trash' ? 'trash' : 'profile')}
            >
              <Stack gap="sm" mt="sm">
                <Radio
                  value="profile"
                  label={strings.toProfile}
                  description={
                    preview.data.duplicates > 0
                      ? `${strings.toProfileText} ${strings.duplicates(preview.data.duplicates)}`
                      : strings.toProfileText
                  }
                />
                <Radio value="trash" label={strings.toTrash} description={strings.toTrashText} />
              </Stack>
            </Radio.Group>
          )}
          <Text size="sm">{preview.data.keys > 0 ? strings.keys(preview.data.keys) : strings.noKeys}</Text>
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
        <Button color="red.9" onClick={remove} loading={deleting.isPending} disabled={!preview.data}>
          {strings.delete}
        </Button>
      </Group>
    </Stack>
  )
}

function outcome({ moved, trashed, merged }: { moved: number; trashed: number; merged: number }): string[] {
  return [
    ...(moved > 0 ? [strings.moved(moved)] : []),
    ...(merged > 0 ? [strings.merged(merged)] : []),
    ...(trashed > 0 ? [strings.trashed(trashed)] : [])
  ]
}
