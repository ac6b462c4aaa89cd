import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api, keepSession } from '../../api/client.ts'
import { announceLogin } from '../../api/events.ts'
import { loginCommand, startCommand } from '../../lib/own-folder.ts'
import { session } from '../../strings/session.ts'
import { Loading } from '../../ui/not-loaded.tsx'
import { Notice } from '../../ui/notice.tsx'

type Fault = 'noToken' | 'used' | 'unreachable'

/** Exchanges the token behind the `#` for a session, then opens the dashboard. */
export function Login() {
  const [fault, setFault] = useState<Fault>()
  const begun = useRef(false)
  const [, navigate] = useLocation()

  useEffect(() => {
    // A token is good once, and development renders twice.
    if (begun.current) return
    begun.current = true
    void logIn(location.hash.slice(1)).then((found) => (found ? setFault(found) : navigate('/', { replace: true })))
  }, [navigate])

  if (!fault) return <Loading label={session.opening} />
  if (fault === 'unreachable') return <Notice alert {...session.unreachable} command={startCommand()} />
  return <Notice alert {...session[fault]} lead={session.newLink} command={loginCommand()} />
}

/** Says why the dashboard can't be opened; nothing where it can. Whoever is logged in already needs no link. */
async function logIn(token: string): Promise<Fault | undefined> {
  history.replaceState(null, '', '/login') // the token stays out of the history
  const response =
    token === '' ? undefined : await api.session.$post({ json: { token } }).catch(() => 'unreachable' as const)
  if (response === 'unreachable') return response
  if (response?.ok) {
    keepSession((await response.json()).session)
    announceLogin()
  } else {
    const status = await api.status.$get().catch(() => undefined)
    if (!status) return 'unreachable'
    if (!status.ok) return token === '' ? 'noToken' : 'used'
  }
  return undefined
}
