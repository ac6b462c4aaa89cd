import { Button, Stack, Text } from '@mantine/core'
import { confirm } from '../../shared/confirm.tsx'
import { exactDate } from '../../shared/dates.ts'
import { settings as strings } from '../../strings/settings.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { CopiesForm } from './copies-form.tsx'
import classes from './list.module.css'
import { Section } from './section.tsx'
import { useBackUp, useBackups, useRestore } from './transfer-data.ts'

/** Copies of the library: those there are, one more, and one put in the library's place. */
export function BackupSection() {
  const backups = useBackups()
  const backingUp = useBackUp()
  const restoring = useRestore()

  async function restore(name: string, at: string) {
    const agreed = await confirm({
      title: strings.restoreTitle(exactDate(at)),
      text: (
        <Stack gap="xs">
          <Text size="sm">{strings.restoreLoss(exactDate(at))}</Text>
          <Text size="sm">{strings.restoreKept}</Text>
          <Text size="sm">{strings.restoreKeys}</Text>
        </Stack>
      ),
      action: strings.restore,
      danger: true
    })
    if (agreed) restoring.mutate(name)
  }

  return (
    <Section id="backups" title={strings.backups}>
      <Text size="sm">{strings.backupsText}</Text>
      <Button onClick={() => backingUp.mutate()} loading={backingUp.isPending} style={{ alignSelf: 'flex-start' }}>
        {strings.backUp}
      </Button>
      <CopiesForm />
      <NotLoaded query={backups} failed={strings.backupsFailed} height={60} aboveData />
      {backups.data && backups.data.length > 0 && (
        <ul className={classes.list} aria-label={strings.backups}>
          {backups.data.map(({ name, at, bytes }) => (
            <li key={name}>
              <div>
                <Text size="sm">{exactDate(at)}</Text>
                <Text size="xs" c="dimmed">
                  {strings.backupFacts(kindOf(name), strings.bytes(bytes))}
                </Text>
              </div>
              <Button
                size="compact-sm"
                variant="light"
                flex="none"
                aria-label={strings.restoreLabel(exactDate(at))}
                loading={restoring.isPending && restoring.variables === name}
                disabled={restoring.isPending}
                onClick={() => restore(name, at)}
              >
                {strings.restoreShort}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Why it was made, as its name says. */
function kindOf(name: string): string {
  const kind = Object.keys(strings.backupKinds).find((one) => name.startsWith(one))
  return strings.backupKinds[kind as keyof typeof strings.backupKinds] ?? name
}
