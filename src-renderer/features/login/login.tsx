import { useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Command } from '../../ui/command.tsx'

type Fault = 'no-token' | 'used' | 'unreachable'

/** Exchanges the token behind the `#` for a session, then opens the dashboard. */
export function Login() {
  const [fault, setFault] = useState<Fault>()
  const begun = useRef(false)

  useEffect(() => {
    // A token is good once, and development renders twice.
    if (begun.current) return
    begun.current = true
    logIn(location.hash.slice(1)).then(setFault)
  }, [])

  if (!fault) return <main aria-busy="true">Opening Earmark …</main>
  const { title, text } = TEXTS[fault]
  return (
    <main>
      <p className="name">Earmark</p>
      <h1>{title}</h1>
      <p role="alert">{text}</p>
      {fault === 'unreachable' ? (
        <Command text="npm start" />
      ) : (
        <>
          <p>For a new link, open a terminal in Earmark’s folder and run:</p>
          <Command text="npm run -s earmark -- login" />
        </>
      )}
    </main>
  )
}

const TEXTS = {
  'no-token': { title: 'This is not a login link', text: 'Its address has no login token in it.' },
  used: { title: 'This link no longer works', text: 'A login link opens once, within ten minutes.' },
  unreachable: { title: 'Earmark does not answer', text: 'Start it, then open the login link again.' }
} satisfies Record<Fault, { title: string; text: string }>

/** Leaves for the dashboard, or says why it can't. Whoever is logged in already needs no link. */
async function logIn(token: string): Promise<Fault | undefined> {
  history.replaceState(null, '', '/login') // the token stays out of the history
  const response =
    token === '' ? undefined : await api.session.$post({ json: { token } }).catch(() => 'unreachable' as const)
  if (response === 'unreachable') return response
  if (!response?.ok) {
    const status = await api.status.$get().catch(() => undefined)
    if (!status) return 'unreachable'
    if (!status.ok) return token === '' ? 'no-token' : 'used'
  }
  location.replace('/')
  return undefined
}
