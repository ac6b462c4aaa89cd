import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { writeClipboard } from '../../shared/host.ts'
import { notify } from '../../shared/notify.tsx'
import { endsSession } from '../../shared/request.ts'
import { common } from '../../strings/common.ts'
import { keys } from '../../strings/keys.ts'
import { type ApiKey, askSecret } from './key-data.ts'

const strings = keys.copySecret

interface CopySecretProps {
  apiKey: ApiKey | undefined
  onClose: () => void
}

/** Asks once more before a key's secret goes to the clipboard. */
export function CopySecret({ apiKey, onClose }: CopySecretProps) {
  return (
    <Modal opened={apiKey !== undefined} onClose={onClose} title={apiKey && strings.title(apiKey.name)}>
      {apiKey && <Copying id={apiKey.id} onClose={onClose} />}
    </Modal>
  )
}

function Copying({ id, onClose }: { id: string; onClose: () => void }) {
  const copying = useMutation({
    mutationFn: () => copySecret(id),
    meta: { quiet: true },
    onSuccess() {
      notify(strings.copied)
      onClose()
    }
  })
  return (
    <Stack>
      <Text size="sm">{strings.text}</Text>
      <div role="status">
        {copying.isError && !endsSession(copying.error) && (
          <Text size="sm" c="var(--mantine-color-error)">
            {copying.error.message}
          </Text>
        )}
      </div>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button onClick={() => copying.mutate()} loading={copying.isPending} data-autofocus>
          {strings.action}
        </Button>
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
