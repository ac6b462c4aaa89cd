import { useEffect } from 'react'
import { Notice } from '../shared/notice.tsx'
import { loginCommand } from '../shared/own-folder.ts'
import { keepTabToken, openTabChannel, tabToken } from '../shared/tab-token.ts'
import { session } from '../strings/session.ts'

/** How to log in again, and why one is asked to. Goes on by itself once another tab has logged in. */
export function LoggedOut() {
  useEffect(() => {
    const channel = openTabChannel((message) => {
      if (message.kind !== 'logged-in') return
      keepTabToken(message.token)
      location.reload()
    })
    return channel.close
  }, [])
  // Whoever logs out gives the token back; who still has it was logged in and is surprised.
  const surprised = tabToken() !== null
  return (
    <Notice
      title={surprised ? session.ended : session.loggedOut}
      text={surprised ? session.endedText : session.loggedOutText}
      command={loginCommand()}
    />
  )
}
