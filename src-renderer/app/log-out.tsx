import { Code, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../shared/api.ts'
import { confirm } from '../shared/confirm.tsx'
import { forgetSession } from '../shared/kept-session.ts'
import { notifyError } from '../shared/notify.tsx'
import { loginCommand } from '../shared/own-folder.ts'
import { ask, endsSession } from '../shared/request.ts'
import { endSession } from '../shared/session.ts'
import { session } from '../strings/session.ts'
import { shell } from '../strings/shell.ts'

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
