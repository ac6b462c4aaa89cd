import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core'
import { keyName } from '../lib/shortcuts.ts'
import { shortcuts } from '../strings/shortcuts.ts'

/** The keys, and what they do. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={shortcuts.title} size={460}>
      <Stack gap="lg">
        {shortcuts.groups.map(({ name, keys }) => (
          <section key={name}>
            <Title order={3} size="sm" mb={6}>
              {name}
            </Title>
            {keys.map(({ keys: pressed, does }) => (
              <Group key={does} justify="space-between" wrap="nowrap" py={3}>
                <Text size="sm">{does}</Text>
                <Group gap={4} wrap="nowrap">
                  {pressed.map((key) => (
                    <Kbd key={key}>{keyName(key)}</Kbd>
                  ))}
                </Group>
              </Group>
            ))}
          </section>
        ))}
      </Stack>
    </Modal>
  )
}
