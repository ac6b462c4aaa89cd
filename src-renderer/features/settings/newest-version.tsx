import { Anchor, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { ask } from '../../shared/request.ts'
import { settings as strings } from '../../strings/settings.ts'

/** Asks whether there is a newer version, once the owner presses the button. */
export function NewestVersion() {
  const asking = useMutation({ mutationFn: () => ask(api.status['newest-version'].$post()), meta: { quiet: true } })
  const { data: found, error } = asking
  return (
    <>
      <Button variant="default" size="compact-sm" ms="sm" loading={asking.isPending} onClick={() => asking.mutate()}>
        {strings.askVersion}
      </Button>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error.message}
        </Text>
      )}
      {found && !error && (
        <Text size="sm" role="status">
          {found.isNewer ? strings.newer(found.newest) : strings.isNewest}{' '}
          {found.isNewer && (
            <Anchor href={found.site} target="_blank" rel="noreferrer">
              {strings.download}
            </Anchor>
          )}
        </Text>
      )}
    </>
  )
}
