import { Code, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, ask, endsSession, forgetSession } from '../api/client.ts'
import { endSession } from '../api/events.ts'
import { loginCommand } from '../lib/own-folder.ts'
import { session } from '../strings/session.ts'
import { shell } from '../strings/shell.ts'
import { confirm } from '../ui/confirm.tsx'
import { notifyError } from '../ui/notify.tsx'

/** Returns what logs out, once the owner agreed. */
export function useLogOut(): () => void {
  const { mutate } = useMutation({
    mutationFn: () => ask(api.session.$delete()),
    meta: { quiet: true },
    onSuccess() {
      forgetSession()
      endSession()
    },
    onError: (error) => endsSession(error) || notifyError(new Error(shell.logOutFailed))
  })
  return async () => {
    if (await confirm({ title: shell.logOutTitle, text: <WayBack />, action: shell.logOut })) mutate()
  }
}

/** How to log in again, said before it is needed. */
function WayBack() {
  const command = loginCommand()
  return (
    <Stack gap="xs">
      <span>{session.loggedOutText}</span>
      {command && <Code block>{command}</Code>}
    </Stack>
  )
}
