import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, List, Loader, Modal, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { TRASH_DAYS } from '../../../src-main/contract/bookmark.ts'
import type { DeletionPreview } from '../../../src-main/contract/organization.ts'
import { api, ask } from '../../api/client.ts'
import { type DataOf, deletionOptions, organizationsOptions } from '../../api/queries.ts'
import { offerUndo, type UndoPart } from '../../api/undo.ts'
import { agentName } from '../../lib/agents.ts'
import { number } from '../../lib/locale.ts'
import { errorText } from '../../lib/problem-text.ts'
import { Page } from '../../shared/page.tsx'
import { NameDialog } from '../../ui/ask.tsx'
import { IconPlus } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/placeholders.tsx'

type Organization = DataOf<typeof organizationsOptions>[number]
type Open = { kind: 'create' } | { kind: 'rename' | 'delete'; organization: Organization }

/** The owner's workspaces. */
export function Organizations() {
  const organizations = useQuery(organizationsOptions)
  const [open, setOpen] = useState<Open>()
  const title = useRef<HTMLHeadingElement>(null)
  const close = () => setOpen(undefined)

  function gone(message: string, parts: UndoPart[]) {
    offerUndo(message, parts)
    close()
    // Its row, with the button that was pressed, is gone.
    setTimeout(() => title.current?.focus(), AFTER_DIALOG_MS)
  }

  return (
    <Page
      title={t`Organizations`}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ kind: 'create' })}>
          {t`New organization`}
        </Button>
      }
    >
      <Stack gap="lg">
        <Text c="dimmed" maw="42rem">
          <Trans>
            A workspace for a client or a project. Its keys see its bookmarks and public ones, never your private ones.
          </Trans>
        </Text>
        <NotLoaded query={organizations} failed={t`The organizations could not be read.`} height={64} />
        {organizations.data && (
          <Stack gap="sm" component="section" aria-labelledby="organizations">
            <Title order={2} size="h5" id="organizations" ref={title} tabIndex={-1}>
              {t`Your organizations`}
            </Title>
            {organizations.data.length === 0 && (
              <Paper withBorder p="xl" ta="center" c="dimmed">
                {t`There are no organizations yet. Everything you save is private or public.`}
              </Paper>
            )}
            {organizations.data.map((organization) => (
              <Row
                key={organization.id}
                organization={organization}
                onRename={() => setOpen({ kind: 'rename', organization })}
                onDelete={() => setOpen({ kind: 'delete', organization })}
              />
            ))}
          </Stack>
        )}
      </Stack>
      <Dialogs open={open} onClose={close} onDeleted={gone} />
    </Page>
  )
}

interface DialogsProps {
  open: Open | undefined
  onClose: () => void
  onDeleted: (message: string, parts: UndoPart[]) => void
}

/** The dialogs that create, rename and delete. */
function Dialogs({ open, onClose, onDeleted }: DialogsProps) {
  const creating = useCreateOrganization()
  const renaming = useRenameOrganization()
  const { id = '', name: before = '' } = open?.kind === 'rename' ? open.organization : {}
  const shared = { missing: t`An organization needs a name.`, onClose }
  return (
    <>
      <NameDialog
        {...shared}
        opened={open?.kind === 'create'}
        title={t`New organization`}
        action={t`Create`}
        onSubmit={(name) => creating.mutateAsync(name)}
      />
      <NameDialog
        {...shared}
        opened={open?.kind === 'rename'}
        title={t`Rename “${before}”`}
        action={t`Rename`}
        name={before}
        onSubmit={(name) => renaming.mutateAsync({ id, name })}
      />
      <DeleteDialog
        organization={open?.kind === 'delete' ? open.organization : undefined}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    </>
  )
}

/** A dialog gives the focus back to what opened it, right after it closes. */
const AFTER_DIALOG_MS = 50

interface RowProps {
  organization: Organization
  onRename: () => void
  onDelete: () => void
}

function Row({ organization: { name, bookmarks, keys }, onRename, onDelete }: RowProps) {
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600} component="h3" m={0} fz="md">
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {`${plural(bookmarks, { one: '# bookmark', other: '# bookmarks' })}, ${plural(keys, { one: '# key', other: '# keys' })}`}
          </Text>
        </div>
        <Group gap={4}>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={`${t`Rename`}: ${name}`}
            onClick={onRename}
          >
            {t`Rename`}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={`${t`Delete`}: ${name}`}
            onClick={onDelete}
          >
            {t`Delete`}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

interface DeleteDialogProps {
  organization: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted: (message: string, parts: UndoPart[]) => void
}

/** Says what deleting an organization does to its bookmarks and keys, and asks where the bookmarks go. */
function DeleteDialog({ organization, onClose, onDeleted }: DeleteDialogProps) {
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

const useCreateOrganization = () => useChange((name: string) => ask(api.organizations.$post({ json: { name } })))

const useRenameOrganization = () =>
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
