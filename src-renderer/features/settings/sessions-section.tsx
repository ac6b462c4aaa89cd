import { t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { sessionsOptions } from '../../api/service-queries.ts'
import { exactDate } from '../../lib/dates.ts'
import { Ago } from '../../ui/facts.tsx'
import { notify } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Row, Rows, Section } from './section.tsx'

/** The browsers that are logged in, with buttons that log them out. */
export function SessionsSection() {
  const sessions = useQuery(sessionsOptions)
  const ending = useMutation({
    mutationFn: (id: string) => ask(api.sessions[':id'].$delete({ param: { id } })),
    meta: { changes: ['settings'] },
    onSuccess: () => notify(t`The session is ended.`)
  })
  return (
    <Section id="sessions" title={t`Sessions`}>
      <Text size="sm">{t`Windows and browsers that are logged in. A session ends after 30 days without use.`}</Text>
      <NotLoaded query={sessions} failed={t`The sessions could not be listed.`} height={60} />
      <Rows label={t`Sessions`}>
        {sessions.data?.map(({ id, client, isOwn, createdAt, seenAt }) => (
          <Row
            key={id}
            title={`${client ?? t`Unknown browser`}${isOwn ? ` · ${t`this one`}` : ''}`}
            text={
              <>
                {t`Logged in ${exactDate(createdAt)}, last used`} <Ago iso={seenAt} />
              </>
            }
          >
            {!isOwn && (
              <Button
                size="compact-sm"
                variant="light"
                flex="none"
                aria-label={t`End the session of ${client ?? t`Unknown browser`}, logged in ${exactDate(createdAt)}`}
                loading={ending.isPending && ending.variables === id}
                onClick={() => ending.mutate(id)}
              >
                {t`End`}
              </Button>
            )}
          </Row>
        ))}
      </Rows>
    </Section>
  )
}
