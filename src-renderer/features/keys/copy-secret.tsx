import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { told } from '../../app/notify.tsx'
import { ApiProblem, endsSession } from '../../app/request.ts'
import { askForToken, tabToken } from '../../app/tab-token.ts'
import { writeClipboard } from '../../host.ts'
import { common } from '../../strings/common.ts'
import { keys } from '../../strings/keys.ts'
import { session } from '../../strings/session.ts'
import { Command } from '../../ui/command.tsx'
import { type ApiKey, askSecret } from './key-data.ts'

const strings = keys.copySecret

interface CopySecretProps {
  apiKey: ApiKey | undefined
  onClose: () => void
}

/** Asks once more before a key's secret goes to the clipboard. A tab that may not have it asks the one that may. */
export function CopySecret({ apiKey, onClose }: CopySecretProps) {
  return (
    <Modal opened={apiKey !== undefined} onClose={onClose} title={apiKey && strings.title(apiKey.name)}>
      {apiKey && <Copying id={apiKey.id} onClose={onClose} />}
    </Modal>
  )
}

function Copying({ id, onClose }: { id: string; onClose: () => void }) {
  const [allowed, setAllowed] = useState(tabToken() !== null)
  const copying = useMutation({
    mutationFn: () => copySecret(id),
    meta: { quiet: true },
    onSuccess() {
      told(strings.copied)
      onClose()
    },
    onError: (error) => isForbidden(error) && setAllowed(false)
  })
  const asking = useMutation({
    mutationFn: askForToken,
    onSuccess(outcome) {
      if (outcome !== 'given') return
      copying.reset()
      setAllowed(true)
    }
  })
  const failed = copying.isError && allowed && !endsSession(copying.error)
  return (
    <Stack>
      <Text size="sm">{allowed ? strings.text : strings.locked}</Text>
      <div role="status">
        {failed && (
          <Text size="sm" c="var(--mantine-color-error)">
            {copying.error.message}
          </Text>
        )}
        {asking.isPending && <Text size="sm">{strings.asking}</Text>}
        {asking.data === 'refused' && <Text size="sm">{strings.denied}</Text>}
        {asking.data === 'nobody' && (
          <Text size="sm" mb="xs">
            {strings.nobody}
          </Text>
        )}
      </div>
      {asking.data === 'nobody' && !allowed && <Command text={session.loginCommand} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        {allowed ? (
          <Button onClick={() => copying.mutate()} loading={copying.isPending} data-autofocus>
            {strings.action}
          </Button>
        ) : (
          <Button onClick={() => asking.mutate()} loading={asking.isPending} data-autofocus>
            {strings.askOther}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** @throws an Error with words for the person */
async function copySecret(id: string): Promise<void> {
  const secret = await askSecret(id)
  await writeClipboard(secret).catch(() => {
    throw new Error(strings.refused)
  })
}

function isForbidden(error: Error): boolean {
  return error instanceof ApiProblem && error.code === 'forbidden'
}
