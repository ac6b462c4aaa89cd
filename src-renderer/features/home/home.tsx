import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { Command } from '../../ui/command.tsx'

type Status = Awaited<ReturnType<Awaited<ReturnType<typeof api.status.$get>>['json']>>
type State = { kind: 'loading' } | { kind: 'logged-out' } | { kind: 'failed' } | { kind: 'ready'; status: Status }

/** What runs here, what it holds, and how to connect an editor. */
export function Home() {
  const [state, setState] = useState<State>({ kind: 'loading' })

  useEffect(() => {
    load().then(setState)
  }, [])

  switch (state.kind) {
    case 'loading':
      return <main aria-busy="true">Loading …</main>
    case 'logged-out':
      return <LoggedOut />
    case 'failed':
      return (
        <main>
          <h1>Earmark does not answer</h1>
          <p role="alert">Is it still running? Start it, then reload this page:</p>
          <Command text="npm start" />
        </main>
      )
    case 'ready':
      return <Ready status={state.status} onLogout={() => setState({ kind: 'logged-out' })} />
  }
}

async function load(): Promise<State> {
  const response = await api.status.$get().catch(() => undefined)
  if (!response) return { kind: 'failed' }
  if (response.status === (401 as number)) return { kind: 'logged-out' }
  return response.ok ? { kind: 'ready', status: await response.json() } : { kind: 'failed' }
}

function LoggedOut() {
  return (
    <main>
      <p className="name">Earmark</p>
      <h1>You are logged out</h1>
      <p>To log in again, open a terminal in Earmark’s folder, run this, and open the link it prints:</p>
      <Command text="npm run -s earmark -- login" />
    </main>
  )
}

function Ready({ status, onLogout }: { status: Status; onLogout: () => void }) {
  const { bookmarks, keys, mcp, version } = status
  const [failed, setFailed] = useState(false)

  async function logOut() {
    const response = await api.session.$delete().catch(() => undefined)
    // Without a session there is nothing left to end.
    if (response?.ok || response?.status === (401 as number)) onLogout()
    else setFailed(true)
  }
  return (
    <main>
      <header>
        <h1>Earmark</h1>
        <button type="button" onClick={logOut}>
          Log out
        </button>
      </header>
      {failed && <p role="alert">Logging out failed: Earmark does not answer. You are still logged in.</p>}
      <p role="status">
        <strong>{bookmarks.toLocaleString('en')}</strong> {bookmarks === 1 ? 'bookmark' : 'bookmarks'},{' '}
        <strong>{keys}</strong> {keys === 1 ? 'API key' : 'API keys'}
      </p>
      <h2>Connect an editor</h2>
      <p>Make a key: open a terminal in Earmark’s folder and run</p>
      <Command text="npm run -s earmark -- keys create --name my-editor" />
      <p>
        Then add an HTTP MCP server with this address, and the key in its <code>x-api-key</code> header:
      </p>
      <Command text={mcp} />
      <footer>Version {version}. Your bookmarks stay on this machine.</footer>
    </main>
  )
}
