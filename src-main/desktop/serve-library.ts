import { shell } from 'electron'
import { Problem } from '../contract/problem.ts'
import { LibraryLost } from '../host/library-lost.ts'
import { logBug } from '../host/log.ts'
import { openOrFind } from '../host/open-or-find.ts'
import { asTyped } from '../host/own-program.ts'
import type { Service } from '../service.ts'
import { askAboutStart, confirmEmpty, tellAboutKeys } from './dialogs.ts'
import type { Way } from './start-problem.ts'

export interface Serving {
  service: Service
  port: number
}

/** Opens and serves the library. While that fails, asks what to do; `undefined` when the person gives up. */
export async function serveLibrary(
  data: string,
  chosen: number | undefined,
  fetches: boolean
): Promise<Serving | undefined> {
  let port = chosen
  let moved = false
  let first: (() => Promise<unknown>) | undefined
  for (;;) {
    try {
      await first?.()
      const serving = await attempt(data, port, fetches)
      if (moved) await rememberPort(serving)
      return serving
    } catch (error) {
      logBug(data)(error)
      const way = await askAboutStart(error)
      first = recoveryBy(way, error, data)
      if (way === 'quit') return undefined
      if (way === 'show-folder') await shell.openPath(data)
      if (way === 'other-port') {
        moved = true
        port = 0
      }
    }
  }
}

/** Returns the step to take before the next attempt. */
function recoveryBy(way: Way, error: unknown, data: string): (() => Promise<unknown>) | undefined {
  const backup = error instanceof LibraryLost ? error.recovery.backup : null
  if (way === 'restore' && backup)
    return async () => {
      const { keysUnknown } = await (await import('../service.ts')).restoreBackup(data, backup.path)
      if (keysUnknown) await tellAboutKeys()
    }
  if (way === 'start-empty')
    return async () => (await confirmEmpty()) && (await import('../service.ts')).startEmptyLibrary(data)
  return undefined
}

async function attempt(data: string, chosen: number | undefined, fetches: boolean): Promise<Serving> {
  const found = await openOrFind(data, { fetches })
  if ('running' in found) {
    throw new Problem(
      'library-in-use',
      `Earmark already runs in a terminal (process ${found.running.pid}). Stop it there with Ctrl-C, or run ` +
        `${asTyped('earmark login')} for a link that opens its dashboard in a browser.`
    )
  }
  const { service } = found
  try {
    const { port } = await service.listen(chosen ?? (await service.preferredPort()))
    return { service, port }
  } catch (error) {
    await service.close()
    throw error
  }
}

/** The port a person agreed to is the one from now on: editors are told an address only once. */
async function rememberPort({ service, port }: Serving): Promise<void> {
  const response = await service.fetch(
    new Request(`http://127.0.0.1:${port}/api/settings`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service.commandToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ port })
    })
  )
  if (!response.ok) throw new Error(`The port could not be saved: ${response.status}`)
}
