import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api, keepSession } from '../api/client.ts'
import { loginCommand, packaged, startCommand } from '../lib/own-folder.ts'
import { Loading } from '../ui/placeholders.tsx'
import { LOGIN, Notice } from './session.tsx'

type LoginFault = 'noToken' | 'used' | 'unreachable'

/** Exchanges the token after the `#` for a session, then opens the dashboard. */
export function Login() {
  const [fault, setFault] = useState<LoginFault>()
  const isStarted = useRef(false)
  const [, navigate] = useLocation()

  useEffect(() => {
    // A token works once, but React runs effects twice in development.
    if (isStarted.current) return
    isStarted.current = true
    void logIn(location.hash.slice(1)).then((reason) => (reason ? setFault(reason) : navigate('/', { replace: true })))
  }, [navigate])

  if (!fault) return <Loading label={t`Opening Earmark …`} />
  if (fault === 'unreachable')
    return (
      <Notice
        alert
        title={t`Earmark does not answer`}
        text={t`Start it, then open the login link again.`}
        command={startCommand()}
      />
    )
  return (
    <Notice
      alert
      {...(fault === 'noToken'
        ? { title: t`This is not a login link`, text: t`Its address has no login token in it.` }
        : { title: t`This link no longer works`, text: t`A login link opens once, within ten minutes.` })}
      lead={
        packaged ? t`Open Earmark’s window instead.` : t`For a new link, open a terminal in Earmark’s folder and run:`
      }
      command={loginCommand()}
    />
  )
}

/** Logs in. Returns why that failed, or `undefined`, also if the browser was logged in already. */
async function logIn(token: string): Promise<LoginFault | undefined> {
  history.replaceState(null, '', '/login') // keeps the token out of the history
  const response =
    token === '' ? undefined : await api.session.$post({ json: { token } }).catch(() => 'unreachable' as const)
  if (response === 'unreachable') return response
  if (response?.ok) {
    keepSession((await response.json()).session)
    localStorage.setItem(LOGIN, String(Date.now()))
  } else {
    const status = await api.status.$get().catch(() => undefined)
    if (!status) return 'unreachable'
    if (!status.ok) return token === '' ? 'noToken' : 'used'
  }
  return undefined
}
