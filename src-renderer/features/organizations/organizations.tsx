import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type DataOf, organizationsOptions } from '../../api/queries.ts'
import { offerUndo, type UndoPart } from '../../api/undo.ts'
import { Page } from '../../shared/page.tsx'
import { NameDialog } from '../../ui/ask.tsx'
import { IconPlus } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { DeleteDialog, useCreateOrganization, useRenameOrganization } from './delete-dialog.tsx'

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
