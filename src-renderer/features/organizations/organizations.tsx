import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type DataOf, organizationsOptions } from '../../api/queries.ts'
import { offerUndo, type UndoPart } from '../../api/undo.ts'
import { Page } from '../../shared/page.tsx'
import { organizations as strings } from '../../strings/organizations.ts'
import { shell } from '../../strings/shell.ts'
import { IconPlus } from '../../ui/icons/icons.ts'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
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
      title={shell.organizations}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ kind: 'create' })}>
          {strings.create}
        </Button>
      }
    >
      <Stack gap="lg">
        <Text c="dimmed" maw="42rem">
          {strings.intro}
        </Text>
        <NotLoaded query={organizations} failed={strings.failed} height={64} />
        {organizations.data && (
          <Stack gap="sm" component="section" aria-labelledby="organizations">
            <Title order={2} size="h5" id="organizations" ref={title} tabIndex={-1}>
              {strings.list}
            </Title>
            {organizations.data.length === 0 && (
              <Paper withBorder p="xl" ta="center" c="dimmed">
                {strings.none}
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
  const shared = { missing: strings.nameMissing, onClose }
  return (
    <>
      <NameDialog
        {...shared}
        opened={open?.kind === 'create'}
        title={strings.create}
        action={strings.submit}
        onSubmit={(name) => creating.mutateAsync(name)}
      />
      <NameDialog
        {...shared}
        opened={open?.kind === 'rename'}
        title={strings.renameTitle(before)}
        action={strings.rename}
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
            {strings.counts(bookmarks, keys)}
          </Text>
        </div>
        <Group gap={4}>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={strings.of(strings.rename, name)}
            onClick={onRename}
          >
            {strings.rename}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={strings.of(strings.delete, name)}
            onClick={onDelete}
          >
            {strings.delete}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
