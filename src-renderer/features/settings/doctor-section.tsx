import { Alert, Badge, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Finding } from '../../../src-main/contract/doctor.ts'
import { api, ask } from '../../api/client.ts'
import { doctor as strings } from '../../strings/doctor.ts'
import classes from './list.module.css'
import { Section } from './section.tsx'

/** The report of `earmark doctor`, without a terminal. */
export function DoctorSection() {
  const looking = useMutation({ mutationFn: () => ask(api.doctor.$post()), meta: { quiet: true } })
  const { data: report, error } = looking
  return (
    <Section id="doctor" title={strings.title}>
      <Text size="sm">{strings.text}</Text>
      <Button
        variant="default"
        loading={looking.isPending}
        onClick={() => looking.mutate()}
        style={{ alignSelf: 'flex-start' }}
      >
        {strings.look}
      </Button>
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {report && (
        <>
          <Text size="sm" fw={600} role="status">
            {report.healthy ? strings.healthy : strings.ill}
          </Text>
          <ul className={classes.list} aria-label={strings.findings}>
            {inOrder(report.findings).map(({ check, state, text, advice }) => (
              <li key={`${check} ${text}`}>
                <div>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {strings.checks[check]}: {text}
                  </Text>
                  {advice !== undefined && (
                    <Text size="xs" c="dimmed">
                      {advice}
                    </Text>
                  )}
                </div>
                <Badge color="red" variant={state === 'problem' ? 'filled' : 'default'} style={{ flex: 'none' }}>
                  {strings.states[state]}
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
