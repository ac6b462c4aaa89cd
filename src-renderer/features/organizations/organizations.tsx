import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, List, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { TRASH_DAYS } from '../../../src-main/contract/bookmark.ts'
import type { DeletionPreview } from '../../../src-main/contract/organization.ts'
import { api, ask } from '../../api/client.ts'
import { type DataOf, deletionOptions, organizationsOptions } from '../../api/queries.ts'
import { offerUndo } from '../../api/undo.ts'
import { agentName } from '../../lib/agents.ts'
import { number } from '../../lib/locale.ts'
import { askName, showDialog } from '../../shared/dialogs.ts'
import { useNewOrganization } from '../../shared/new-organization.ts'
import { Page } from '../../shared/page.tsx'
import { type DialogState, FormModal } from '../../ui/form-modal.tsx'
import { IconPlus } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/placeholders.tsx'

type Organization = DataOf<typeof organizationsOptions>[number]

/** The list of organizations, which can be renamed and deleted. */
export function Organizations() {
  const organizations = useQuery(organizationsOptions)
  const { rename } = useOrganizationChanges()
  const title = useRef<HTMLHeadingElement>(null)
  const missing = t`An organization needs a name.`

  const create = useNewOrganization()
  const onRename = ({ id, name }: Organization) =>
    askName({
      title: t`Rename “${name}”`,
      action: t`Rename`,
      name,
      missing,
      onSubmit: (newName) => rename.mutateAsync({ id, name: newName })
    })
  const onDelete = (organization: Organization) =>
    showDialog((state) => (
      // The row with the pressed button disappears, so the title gets the focus.
      <DeleteDialog
        {...state}
        {...organization}
        onDeleted={() => setTimeout(() => title.current?.focus(), CLOSED_MS)}
      />
    ))

  return (
    <Page
      title={t`Organizations`}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => create()}>
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
                onRename={() => onRename(organization)}
                onDelete={() => onDelete(organization)}
              />
            ))}
          </Stack>
        )}
      </Stack>
    </Page>
  )
}

/** Time until the closed dialog has returned the focus to the element that opened it, in ms. */
const CLOSED_MS = 50

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

interface DeleteDialogProps extends DialogState {
  id: string
  name: string
  onDeleted(): void
}

/** Asks whether to delete an organization and where to move its bookmarks, and lists the keys that are revoked. */
function DeleteDialog({ id, name, onDeleted, ...state }: DeleteDialogProps) {
  const preview = useQuery(deletionOptions(id))
  const { drop } = useOrganizationChanges()
  return (
    <FormModal<{ target: BookmarkTarget; typed: string }>
      {...state}
      title={t`Delete “${name}”?`}
      initialValues={{ target: 'profile', typed: '' }}
      action={t`Delete`}
      danger
      canSubmit={({ typed }) => preview.data !== undefined && typed.trim().toLowerCase() === name.toLowerCase()}
      onSubmit={async ({ target }) => {
        const done = await drop.mutateAsync({ id, bookmarks: target })
        offerUndo(deletedText(name, done), [done.undo === null ? { organization: name } : { step: done.undo }])
        onDeleted()
      }}
    >
      {(form) => (
        <>
          <NotLoaded query={preview} failed={t`The organization could not be read.`} height={120} />
          {preview.data && (
            <>
              <TargetChoice preview={preview.data} field={form.getInputProps('target')} />
              <RevokedKeys keys={preview.data.keys} />
            </>
          )}
          <TextInput
            label={t`Type “${name}” to confirm`}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('typed')}
          />
        </>
      )}
    </FormModal>
  )
}

interface TargetChoiceProps {
  preview: DeletionPreview
  /** Props of the field, as Mantine's form returns them. */
  field: GetInputPropsReturnType
}

/** Chooses where the organization's bookmarks are moved. */
function TargetChoice({ preview: { bookmarks, duplicates }, field }: TargetChoiceProps) {
  if (bookmarks === 0) return <Text size="sm">{t`It has no bookmarks.`}</Text>
  return (
    <Radio.Group
      label={plural(bookmarks, {
        one: 'It has one bookmark. Where should it go?',
        other: 'It has # bookmarks. Where should they go?'
      })}
      {...field}
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

function RevokedKeys({ keys }: { keys: DeletionPreview['keys'] }) {
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

function deletedText(name: string, { moved, trashed, merged }: Record<'moved' | 'trashed' | 'merged', number>): string {
  return [
    t`“${name}” is deleted.`,
    moved > 0 && t`${plural(moved, { one: '# bookmark', other: '# bookmarks' })} moved to you.`,
    merged > 0 && t`${number(merged)} merged with yours.`,
    trashed > 0 && t`${plural(trashed, { one: '# bookmark', other: '# bookmarks' })} in the trash.`
  ]
    .filter(Boolean)
    .join(' ')
}

type BookmarkTarget = 'profile' | 'trash'

/** Changes of organizations. Their dialogs show errors. */
function useOrganizationChanges() {
  const meta = { quiet: true, changes: ['organizations' as const] }
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      ask(api.organizations[':id'].$patch({ param: { id }, json: { name } })),
    meta
  })
  const drop = useMutation({
    mutationFn: ({ id, bookmarks }: { id: string; bookmarks: BookmarkTarget }) =>
      ask(api.organizations[':id'].$delete({ param: { id }, query: { bookmarks } })),
    meta
  })
  return { rename, drop }
}
