import { Modal } from '@mantine/core'
import { keys } from '../../strings/keys.ts'
import { ConnectEditor } from './connect-editor.tsx'
import type { ApiKey } from './key-data.ts'

interface ConnectDialogProps {
  apiKey: ApiKey | undefined
  onClose: () => void
}

/** How to connect an editor with a key that was made before, whose secret is not at hand. */
export function ConnectDialog({ apiKey, onClose }: ConnectDialogProps) {
  return (
    <Modal
      opened={apiKey !== undefined}
      onClose={onClose}
      size="xl"
      title={apiKey && keys.connect.titleOf(apiKey.name)}
    >
      {apiKey && (
        <ConnectEditor
          keyId={apiKey.id}
          name={apiKey.name}
          prefix={apiKey.prefix}
          kept={apiKey.keychain !== 'shown-once'}
          titled
        />
      )}
    </Modal>
  )
}
