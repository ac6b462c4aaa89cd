import type { Finding } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problem.ts'
import { hasLostFiles, nextFile } from '../../core/sync/next-file.ts'
import type { Ports } from '../ports.ts'
import { syncCode, syncPlace } from './set-up-sync.ts'

const LOST = {
  check: 'sync',
  state: 'problem',
  text: 'Files of this machine are missing from the sync folder.',
  advice: 'Earmark sends all of its bookmarks again. To do that now: earmark sync now'
} as const

/**
 * Checks whether the folder and the code for synchronization are there, and the files that this machine wrote or waits
 * for. Nothing if it is not set up.
 */
export async function examineSync(ports: Ports): Promise<Finding[]> {
  const state = await ports.library.readSync()
  if (!state) return []
  try {
    const folders = await ports.syncFolders()
    const folder = await folders.open(await syncPlace(ports, state), await syncCode(ports), false)
    const listed = await folder.list()
    const own = listed.find(({ device }) => device === state.device)
    if (hasLostFiles(state, own)) return [LOST]
    const missing = state.devices.filter(({ device, upTo }) => {
      const files = listed.find((one) => one.device === device)
      return files && nextFile(upTo, files) === 'missing'
    })
    if (missing.length > 0) {
      const names = missing.map(({ name }) => `“${name}”`).join(', ')
      const text = `Files of ${names} are missing from the sync folder.`
      return [{ check: 'sync', state: 'problem', text, advice: 'Start Earmark there: it sends them again.' }]
    }
    const text = `This machine synchronizes through ${state.folder}, with ${state.devices.length} others.`
    return [{ check: 'sync', state: 'ok', text }]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [{ check: 'sync', state: 'problem', text: error.message, advice: 'Look at: earmark sync status' }]
  }
}
