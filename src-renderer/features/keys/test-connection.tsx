import { Button, Group, List, Stack, Text, ThemeIcon } from '@mantine/core'
import { common } from '../../strings/common.ts'
import { keys } from '../../strings/keys.ts'
import { IconCheck, IconPlugConnected, IconX } from '../../ui/icons/icons.ts'
import { useConnectionTest } from './key-data.ts'

const strings = keys.connect

/** Connects with a key as an editor would, and says in words what works and what does not. */
export function TestConnection({ secret }: { secret: string }) {
  const test = useConnectionTest()
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
          {strings.test}
        </Button>
      </Group>
      <div role="status">
        {test.isPending && <Text size="sm">{strings.testing}</Text>}
        {test.isError && (
          <Text size="sm" c="var(--mantine-color-error)">
            {test.error.message || common.unexpected}
          </Text>
        )}
        {report && !test.isPending && (
          <Stack gap={6}>
            <Text size="sm" fw={600}>
              {report.works ? strings.works : strings.fails}
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
                      aria-label={ok ? strings.passed : strings.failed}
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
