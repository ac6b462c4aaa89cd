import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { refetch } from '../../api/events.ts'
import { backupsOptions, copiesOptions } from '../../api/service-queries.ts'
import { exactDate } from '../../lib/dates.ts'
import { fileSize, i18n } from '../../lib/locale.ts'
import { confirm } from '../../shared/dialogs.ts'
import { notify } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { FolderForm } from './folder-form.tsx'
import { Row, Rows, Section } from './section.tsx'

/** Lists the backups of the library, makes a new one, and restores one. */
export function BackupSection() {
  const backups = useQuery(backupsOptions)
  const backingUp = useBackUp()
  const restoring = useRestore()

  async function restore(name: string, at: string) {
    const isConfirmed = await confirm({
      title: t`Restore the backup of ${exactDate(at)}?`,
      text: (
        <Stack gap="xs">
          <Text size="sm">{t`The library returns to its state at that time. Changes made after ${exactDate(at)} will not be in it.`}</Text>
          <Text size="sm">
            <Trans>
              The library as it is now is added to this list as “Before the restore”, so you can go back to it.
            </Trans>
          </Text>
          <Text size="sm">
            <Trans>
              Editors with a key made since then need a new one; keys revoked since then stay revoked. Other places
              where you are logged in are logged out.
            </Trans>
          </Text>
        </Stack>
      ),
      action: t`Restore this backup`,
      danger: true
    })
    if (isConfirmed) restoring.mutate(name)
  }

  return (
    <Section id="backups" title={t`Backups`}>
      <Text size="sm">
        <Trans>
          While Earmark runs, it backs up the library every day and checks the copy. It keeps the last 7 daily and 4
          weekly backups, and the last 3 that you made yourself.
        </Trans>
      </Text>
      <Button onClick={() => backingUp.mutate()} loading={backingUp.isPending}>
        {t`Back up now`}
      </Button>
      <CopiesForm />
      <NotLoaded query={backups} failed={t`The backups could not be listed.`} height={60} aboveData />
      {backups.data && backups.data.length > 0 && (
        <Rows label={t`Backups`}>
          {backups.data.map(({ name, at, bytes }) => (
            <Row key={name} title={exactDate(at)} text={`${kindOf(name)}, ${fileSize(bytes)}`}>
              <Button
                size="compact-sm"
                variant="light"
                flex="none"
                aria-label={t`Restore the backup of ${exactDate(at)}`}
                loading={restoring.isPending && restoring.variables === name}
                disabled={restoring.isPending}
                onClick={() => restore(name, at)}
              >
                {t`Restore`}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
    </Section>
  )
}

/** Returns why a backup was made, from its name. */
function kindOf(name: string): string {
  const kind = Object.entries(BACKUP_KINDS).find(([start]) => name.startsWith(start))
  return kind ? i18n._(kind[1]) : name
}

/** The folder to which each backup is copied. */
function CopiesForm() {
  const copies = useQuery(copiesOptions)
  if (!copies.data) return null
  const { folder, fault } = copies.data
  return (
    <>
      <FolderForm
        name="backupFolder"
        folder={folder}
        label={t`Copy each backup to`}
        description={t`A folder on another disk, or one that is synced: it gets the same backups, in a folder of their own.`}
        placeholder="/media/disk/backups"
        stop={t`Stop copying`}
        outcome={(backupFolder) =>
          backupFolder === null
            ? t`Backups are no longer copied. Existing copies stay.`
            : t`Each backup is copied to ${backupFolder}.`
        }
        onChanged={() => refetch(['backups'])}
      />
      {fault !== null && (
        <Alert color="red" title={t`The copies are not up to date`} role="alert">
          {fault}
        </Alert>
      )}
    </>
  )
}

const BACKUP_KINDS = {
  daily: msg`Daily`,
  weekly: msg`Weekly`,
  manual: msg`Made by you`,
  'before-migration': msg`Before an update of Earmark`,
  'before-restore': msg`Before the restore`
}

export function useBackUp() {
  return useMutation({
    mutationFn: () => ask(api.backups.$post()),
    meta: { changes: ['backups'] },
    onSuccess: ({ bytes }) => notify(t`Backed up, ${fileSize(bytes)}.`)
  })
}

function useRestore() {
  return useMutation({
    mutationFn: (name: string) => ask(api.backups[':name'].restore.$post({ param: { name } })),
    meta: { changes: 'all' },
    onSuccess: ({ bookmarks, ...old }) => notify(restoredText(bookmarks, old))
  })
}

function restoredText(count: number, { kept, keptAsBackup }: { kept: string | null; keptAsBackup: boolean }): string {
  const text = t`Restored: ${plural(count, { one: '# bookmark', other: '# bookmarks' })}.`
  if (keptAsBackup) return `${text} ${t`The old library is in the list of backups as “Before the restore”.`}`
  return kept === null ? text : `${text} ${t`The old library could not be added to the backups. It is in ${kept}.`}`
}
