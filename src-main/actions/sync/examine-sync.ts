import type { Finding } from '../../contract/doctor.ts'
import type { Ports } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { syncCode, syncPlace } from './set-up-sync.ts'

/** Looks whether the folder and the code for synchronization are there. Nothing where it is not set up. */
export async function examineSync(ports: Ports): Promise<Finding[]> {
  const state = await ports.library.readSync()
  if (!state) return []
  try {
    const folders = await ports.syncFolders()
    await folders.open(await syncPlace(ports, state), await syncCode(ports), false)
    const text = `This machine synchronizes through ${state.folder}, with ${state.devices.length} others.`
    return [{ check: 'sync', state: 'ok', text }]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [{ check: 'sync', state: 'problem', text: error.message, advice: 'Look at: earmark sync status' }]
  }
}
