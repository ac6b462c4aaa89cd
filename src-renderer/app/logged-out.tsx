import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { Notice } from '../shared/notice.tsx'
import { loginCommand } from '../shared/own-folder.ts'
import { onLogin } from '../shared/session.ts'
import { session } from '../strings/session.ts'

/** How to log in again. Goes on by itself once another tab has logged in. */
export function LoggedOut() {
  useEffect(() => onLogin(() => location.reload()), [])
  const elsewhere = !location.hostname.endsWith('.localhost')
  return (
    <Notice title={session.loggedOut} text={session.loggedOutText} command={loginCommand()}>
      {elsewhere && <Text c="dimmed">{session.elsewhere}</Text>}
    </Notice>
  )
}
