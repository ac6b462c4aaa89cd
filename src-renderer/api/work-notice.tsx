import { t } from '@lingui/core/macro'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { number } from '../lib/locale.ts'
import { api, ask } from './client.ts'
import { workOptions } from './service-queries.ts'

interface WorkNoticeProps {
  /** The name under which the work was started. */
  name: string
  what: string
  stoppable: boolean
}

/** The progress of long work, with a button that cancels it. */
export function WorkNotice({ name, what, stoppable }: WorkNoticeProps) {
  const [stopping, setStopping] = useState(false)
  const { data } = useQuery(workOptions(name))
  const { done = 0, total = 0 } = data ?? {}
  async function stop() {
    setStopping(true)
    // If the work has already ended, the caller of `longWork` reports the result.
    await ask(api.work[':name'].cancel.$post({ param: { name } })).catch(() => setStopping(false))
  }
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={2}>
          {what}
        </Text>
        {stoppable && (
          <Button size="compact-sm" variant="light" flex="none" loading={stopping} onClick={stop}>
            {t`Cancel`}
          </Button>
        )}
      </Group>
      <Progress size="sm" value={total > 0 ? (done / total) * 100 : 0} aria-label={what} />
      <Text size="xs" c="dimmed">
        {total > 0 ? t`${number(done)} of ${number(total)}` : t`Starting …`}
      </Text>
    </Stack>
  )
}
