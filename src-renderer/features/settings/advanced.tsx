import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Badge, Button, NumberInput, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Finding } from '../../../src-main/contract/doctor.ts'
import { api, ask } from '../../api/client.ts'
import { connectedOptions } from '../../api/events.ts'
import { useChangeSettings } from '../../api/mutations.ts'
import { type Status, settingsOptions, statusOptions } from '../../api/queries.ts'
import { longDate } from '../../lib/dates.ts'
import { fileSize, i18n, number } from '../../lib/locale.ts'
import { Command } from '../../ui/command.tsx'
import { Ago, Fact, Facts, LiveDot } from '../../ui/facts.tsx'
import { Form } from '../../ui/form-modal.tsx'
import { notify, notifyError } from '../../ui/notify.tsx'
import { Row, Rows, Section } from './section.tsx'

/** The state of the service, its port, its data folder, and a check for problems. */
export function Advanced() {
  const settings = useQuery(settingsOptions).data
  const status = useQuery(statusOptions).data
  if (!status) return null
  return (
    <>
      <StatusCard status={status} />
      {settings && (
        <Section id="service" title={t`Service`}>
          <PortForm key={settings.port} port={settings.port} url={status.url} />
        </Section>
      )}
      <Section id="data" title={t`Your data`}>
        <Text size="sm">{t`Everything is in this folder, which only your account can read.`}</Text>
        <Command text={status.dataFolder} label={t`Data folder`} />
        <Text size="sm">{t`Errors are written here. It contains nothing about your bookmarks.`}</Text>
        <Command text={status.log} label={t`Log`} />
      </Section>
      <DoctorSection />
    </>
  )
}

/** The service's version, address and state. */
function StatusCard({ status }: { status: Status }) {
  const connected = useQuery(connectedOptions).data
  return (
    <Section id="status" title={t`Status`}>
      <Facts width="18rem">
        <Fact term={t`Address`}>
          <LiveDot live={connected} label={connected ? t`Connected` : t`Not connected`} /> {status.url}
        </Fact>
        <Fact term={t`MCP endpoint`}>{status.mcp}</Fact>
        <Fact term={t`Version`}>
          {status.version} <NewestVersion />
        </Fact>
        <Fact term={t`Running since`}>
          <Ago iso={status.startedAt} />
        </Fact>
        <Fact term={t`Library`}>
          {`${plural(status.bookmarks, { one: '# bookmark', other: '# bookmarks' })}, ${fileSize(status.librarySize)}`}
          {status.unindexed > 0 && <div>{t`Preparing search: ${number(status.unindexed)} to go.`}</div>}
          {status.unread > 0 && (
            <div>
              {status.unread < 10_000
                ? t`Fetching page details: ${number(status.unread)} to go.`
                : t`Fetching page details: ${number(status.unread)} or more to go.`}
            </div>
          )}
        </Fact>
        <Fact term={t`Last backup`}>{status.lastBackupAt ? longDate(status.lastBackupAt) : t`None yet`}</Fact>
      </Facts>
    </Section>
  )
}

/** A button that checks whether there is a newer version. */
function NewestVersion() {
  const checking = useMutation({ mutationFn: () => ask(api.status['newest-version'].$post()), meta: { quiet: true } })
  const { data: found, error } = checking
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        ms="sm"
        loading={checking.isPending}
        onClick={() => checking.mutate()}
      >
        {t`Check for a newer version`}
      </Button>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error.message}
        </Text>
      )}
      {found && !error && (
        <Text size="sm" role="status">
          {found.isNewer ? t`Version ${found.newest} is available.` : t`This is the newest version.`}{' '}
          {found.isNewer && (
            <Anchor href={found.site} target="_blank" rel="noreferrer">
              {t`Download`}
            </Anchor>
          )}
        </Text>
      )}
    </>
  )
}

const DEFAULT_PORT = 20_727

/** Changes the port, which the service uses after its next start. */
function PortForm({ port, url }: { port: number | null; url: string }) {
  const changing = useChangeSettings({ quiet: true })
  async function save(wanted: number) {
    await changing.mutateAsync({ port: wanted === DEFAULT_PORT ? null : wanted })
    notify(t`Saved. Earmark listens on ${wanted} from its next start.`)
  }
  return (
    <>
      <Text size="sm">
        {t`Earmark listens on ${new URL(url).host} now. A new port is used from the next start. Your editors then need the new address.`}
      </Text>
      <Form<{ port: number | string }>
        layout="row"
        initialValues={{ port: port ?? DEFAULT_PORT }}
        validate={({ port }) =>
          typeof port === 'number' && Number.isInteger(port) && port >= 1024 && port <= 65_535
            ? {}
            : { port: t`Enter a number from 1024 to 65535.` }
        }
        action={t`Save`}
        canSubmit={(values) => values.port !== (port ?? DEFAULT_PORT)}
        faultAt="port"
        onSubmit={(values) => save(Number(values.port))}
        buttons={
          port !== null && (
            <Button variant="default" onClick={() => void save(DEFAULT_PORT).catch(notifyError)}>
              {t`Use 20727 again`}
            </Button>
          )
        }
      >
        {(form) => (
          <NumberInput
            label={t`Port`}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            w={180}
            inputWrapperOrder={['label', 'input', 'error']}
            {...form.getInputProps('port')}
          />
        )}
      </Form>
    </>
  )
}

/** Shows the report of `earmark doctor`. */
function DoctorSection() {
  const checking = useMutation({ mutationFn: () => ask(api.doctor.$post()), meta: { quiet: true } })
  const { data: report, error } = checking
  return (
    <Section id="doctor" title={t`Health`}>
      <Text size="sm">
        <Trans>
          Checks the library, its search index, pictures, folder, backups and the keychain. It changes nothing, and you
          can keep working. In a large library it takes some seconds.
        </Trans>
      </Text>
      <Button variant="default" loading={checking.isPending} onClick={() => checking.mutate()}>
        {t`Check for problems`}
      </Button>
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {report && (
        <>
          <Text size="sm" fw={600} role="status">
            {report.healthy ? t`No problems found.` : t`Problems found.`}
          </Text>
          <Rows label={t`Results of the check`}>
            {sortFindings(report.findings).map(({ check, state, text, advice }) => (
              <Row key={`${check} ${text}`} title={`${i18n._(CHECKS[check])}: ${text}`} text={advice}>
                <Badge color="red" variant={state === 'problem' ? 'filled' : 'default'} style={{ flex: 'none' }}>
                  {i18n._(FINDING_STATES[state])}
                </Badge>
              </Row>
            ))}
          </Rows>
        </>
      )}
    </Section>
  )
}

/** Sorts findings, problems first. */
function sortFindings(findings: Finding[]): Finding[] {
  const rank = { problem: 0, unknown: 1, repaired: 2, ok: 3 } satisfies Record<Finding['state'], number>
  return findings.toSorted((a, b) => rank[a.state] - rank[b.state])
}

const CHECKS = {
  folder: msg`Folder`,
  library: msg`Library`,
  log: msg`Log`,
  integrity: msg`File`,
  references: msg`References`,
  index: msg`Search index`,
  pictures: msg`Pictures`,
  copies: msg`Copies of pages`,
  leftovers: msg`Leftovers`,
  backups: msg`Backups`,
  port: msg`Port`,
  keychain: msg`Keychain`,
  sync: msg`Sync`
}

const FINDING_STATES = { ok: msg`Good`, repaired: msg`Repaired`, problem: msg`Problem`, unknown: msg`Unclear` }
