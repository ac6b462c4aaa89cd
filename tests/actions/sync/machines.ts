import { join } from 'node:path'
import { setUpSync } from '../../../src-main/actions/sync/set-up-sync.ts'
import { syncOnce } from '../../../src-main/actions/sync/sync-once.ts'
import { link, PRIVATE } from '../../store/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { testPorts } from '../ports.ts'

export const DAY_MS = 86_400_000
export type TestPorts = Awaited<ReturnType<typeof testPorts>>

/** A machine with the real time. */
export const newMachine = (options: Parameters<typeof testPorts>[0] = {}) => testPorts({ now: Date.now, ...options })

/** Two machines that synchronize through a folder. */
export async function machines() {
  const folder = tempFolder()
  const [here, there] = await Promise.all([newMachine(), newMachine()])
  const { code } = await setUpSync(here, { folder, name: 'here' })
  await syncOnce(here)
  const { backup } = await setUpSync(there, { folder, name: 'there', code })
  return { folder, here, there, code, backup }
}

/** A third machine that joins them. */
export async function joined({ folder, code }: { folder: string; code: string }): Promise<TestPorts> {
  const ports = await newMachine()
  await setUpSync(ports, { folder, name: 'late', code })
  return ports
}

export const save = (ports: TestPorts, url: string) => ports.library.saveBookmarks(PRIVATE, [link(url)])

/** Saves and sends each page by itself. */
export async function send(ports: TestPorts, ...urls: string[]): Promise<void> {
  for (const url of urls) {
    await save(ports, url)
    await syncOnce(ports)
  }
}

export async function urls({ library }: TestPorts): Promise<(string | null)[]> {
  const { bookmarks } = await library.listBookmarks({ order: 'newest', page: 1, limit: 100 })
  return bookmarks.map(({ url }) => url).sort()
}

/** The folder of a machine's files. */
export async function filesOf(ports: TestPorts, folder: string): Promise<string> {
  const { device = '' } = (await ports.library.readSync()) ?? {}
  return join(folder, 'earmark-sync', device)
}
