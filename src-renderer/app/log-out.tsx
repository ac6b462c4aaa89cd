import { t } from '@lingui/core/macro'
import { Code, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, ask, endsSession, forgetSession } from '../api/client.ts'
import { endSession } from '../api/events.ts'
import { loginCommand, packaged } from '../lib/own-folder.ts'
import { confirm } from '../ui/ask.tsx'
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
    onError: (error) =>
      endsSession(error) ||
      notifyError(new Error(t`Logging out failed: Earmark does not answer. You are still logged in.`))
  })
  return async () => {
    if (await confirm({ title: t`Log out?`, text: <WayBack />, action: t`Log out` })) mutate()
  }
}

export function howToLogIn(): string {
  return packaged
    ? t`A session ends after 30 days without use, and 90 days after you logged in. To log in again, open Earmark’s window.`
    : t`A session ends after 30 days without use, and 90 days after you logged in. To log in again, open a terminal in Earmark’s folder, run this, and open the link it prints:`
}

/** How to log in again, said before it is needed. */
function WayBack() {
  const command = loginCommand()
  return (
    <Stack gap="xs">
      <span>{howToLogIn()}</span>
      {command && <Code block>{command}</Code>}
    </Stack>
  )
}
