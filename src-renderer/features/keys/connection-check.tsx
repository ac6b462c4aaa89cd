/** Checks whether an editor can use a key: by a test, and by waiting for the editor's first call. */
import { t } from '@lingui/core/macro'
import { Button, Group, List, Loader, Stack, Text, ThemeIcon } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { type ApiKey, type Call, keysOptions, newestCallOptions } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { timeOfDay } from '../../lib/dates.ts'
import { errorText } from '../../lib/problem-text.ts'
import { IconCheck, IconPlugConnected, IconX } from '../../ui/icons/icons.ts'

/** Connects with a key as an editor does, and shows the result of each check. */
export function TestConnection({ secret }: { secret: string }) {
  const test = useMutation({
    mutationFn: (key: string) => ask(api['connection-tests'].$post({ json: { key } })),
    meta: { quiet: true }
  })
  const report = test.data
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          onClick={() => test.mutate(secret)}
          loading={test.isPending}
          disabled={secret === ''}
        >
          {t`Test connection`}
        </Button>
      </Group>
      <div role="status">
        {test.isPending && <Text size="sm">{t`Testing …`}</Text>}
        {test.isError && (
          <Text size="sm" c="var(--mantine-color-error)">
            {errorText(test.error)}
          </Text>
        )}
        {report && !test.isPending && (
          <Stack gap={6}>
            <Text size="sm" fw={600}>
              {report.works ? t`It works` : t`It does not work yet`}
            </Text>
            <List spacing={4} size="sm" center listStyleType="none">
              {report.checks.map(({ name, ok, message }) => (
                <List.Item
                  key={name}
                  icon={
                    <ThemeIcon
                      size={18}
                      radius="xl"
                      color={ok ? 'teal' : 'red'}
                      variant="light"
                      role="img"
                      aria-label={ok ? t`Passed` : t`Failed`}
                    >
                      {ok ? <IconCheck size={12} /> : <IconX size={12} />}
                    </ThemeIcon>
                  }
                >
                  {message}
                </List.Item>
              ))}
            </List>
          </Stack>
        )}
      </div>
    </Stack>
  )
}

interface FirstCallProps {
  keyId: string
  /** The name of the editor that should call. */
  editor: string
}

/** Waits for the next call of a key, and shows which program made it. */
export function FirstCall({ keyId, editor }: FirstCallProps) {
  const key = useQuery(keysOptions).data?.find(({ id }) => id === keyId)
  const [usedBefore] = useState(key?.lastUsedAt ?? '')
  const call = useFirstCall(keyId)
  if (call?.refused === null) {
    return (
      <Group gap="xs" wrap="nowrap">
        <IconCheck size={18} color="var(--mantine-color-teal-filled)" />
        <Text size="sm" fw={600}>
          {t`Connected: ${nameOf(call.client)} called at ${timeOfDay(call.at ?? '')}.`}
        </Text>
      </Group>
    )
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Loader size={18} type="dots" color="var(--mantine-color-dimmed)" aria-hidden />
      <Text size="sm">
        {call
          ? t`${nameOf(call.client)} called and was refused: ${call.refused ?? ''}`
          : waitingText(key, usedBefore, editor)}
      </Text>
    </Group>
  )
}

/** Returns the text while there is no call. A handshake is not a call, but shows that the editor can reach Earmark. */
function waitingText(key: ApiKey | undefined, usedBefore: string, editor: string): string {
  const usedAt = key?.lastUsedAt ?? ''
  return usedAt > usedBefore
    ? t`${nameOf(key?.lastClient)} reached Earmark at ${timeOfDay(usedAt)}. Waiting for its first call …`
    : t`Waiting for the first call … Restart ${editor}, then ask it to search your bookmarks.`
}

/** Returns the first call of a key after this component was mounted. Until a call succeeds, the last refused one. */
function useFirstCall(keyId: string): Call | undefined {
  const { data: newest } = useQuery(newestCallOptions(keyId))
  const [before, setBefore] = useState<number>()
  const [first, setFirst] = useState<Call>()
  useEffect(() => {
    if (newest === undefined) return
    if (before === undefined) setBefore(newest?.id ?? 0)
    else if (newest && newest.id > before) setFirst((current) => (current?.refused === null ? current : newest))
  }, [newest, before])
  return first
}

function nameOf(client: string | null | undefined): string {
  return client ? agentName(client) : t`A program`
}
