import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtForTests, launchProgram } from './program.ts'
import { type Answering, startTestWeb } from './test-web.ts'

/** A service in its own process, whose whole web is the pages of a test. */
interface WebService {
  login: string
  /** Saves these addresses over the endpoint, as an editor's agent would. */
  insert(urls: string[]): Promise<void>
}

/**
 * Runs a service on a web of these pages for as long as the work takes. A page that is changed meanwhile is another when
 * it is asked for again.
 *
 * @param pages by host and path
 */
export async function withServedWeb(
  pages: Record<string, Answering>,
  work: (service: WebService) => Promise<void>
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'earmark-web-'))
  const afterwards: (() => Promise<void>)[] = [() => rm(data, { recursive: true, force: true })]
  try {
    const web = await startTestWeb(
      (target) => pages[target],
      undefined,
      (close) => afterwards.unshift(close)
    )
    const program = launchProgram([data, String(web.wire.port)], {
      file: builtForTests('web-service'),
      afterwards: (end) => afterwards.unshift(end)
    })
    const { url, key, login } = JSON.parse((await program.firstLine) ?? '') as Record<'url' | 'key' | 'login', string>
    await work({ login, insert: (urls) => insert(url, key, urls) })
  } finally {
    for (const end of afterwards) await end()
  }
}

async function insert(service: string, key: string, urls: string[]): Promise<void> {
  const params = { name: 'bookmarks.insert', arguments: { urls } }
  await fetch(`${service}/api/tools/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  })
}
