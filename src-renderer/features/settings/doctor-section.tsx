import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Badge, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Finding } from '../../../src-main/contract/doctor.ts'
import { api, ask } from '../../api/client.ts'
import { i18n } from '../../lib/locale.ts'
import classes from './list.module.css'
import { Section } from './section.tsx'

/** The report of `earmark doctor`, without a terminal. */
export function DoctorSection() {
  const looking = useMutation({ mutationFn: () => ask(api.doctor.$post()), meta: { quiet: true } })
  const { data: report, error } = looking
  return (
    <Section id="doctor" title={t`Health`}>
      <Text size="sm">
        <Trans>
          Checks the library, its search index, pictures, folder, backups and the keychain. It changes nothing, and you
          can keep working. In a large library it takes some seconds.
        </Trans>
      </Text>
      <Button
        variant="default"
        loading={looking.isPending}
        onClick={() => looking.mutate()}
        style={{ alignSelf: 'flex-start' }}
      >
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
          <ul className={classes.list} aria-label={t`Results of the check`}>
            {inOrder(report.findings).map(({ check, state, text, advice }) => (
              <li key={`${check} ${text}`}>
                <div>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {i18n._(CHECKS[check])}: {text}
                  </Text>
                  {advice !== undefined && (
                    <Text size="xs" c="dimmed">
                      {advice}
                    </Text>
                  )}
                </div>
                <Badge color="red" variant={state === 'problem' ? 'filled' : 'default'} style={{ flex: 'none' }}>
                  {i18n._(STATES[state])}
                </Badge>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

/** Sorts the findings, problems first. */
function inOrder(findings: Finding[]): Finding[] {
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
  leftovers: msg`Leftovers`,
  backups: msg`Backups`,
  port: msg`Port`,
  keychain: msg`Keychain`,
  sync: msg`Several machines`
}

const STATES = { ok: msg`Good`, repaired: msg`Repaired`, problem: msg`Problem`, unknown: msg`Unclear` }
