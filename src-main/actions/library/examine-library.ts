import type { DoctorReport, Finding } from '../../contract/doctor.ts'
import { keychainFinding } from '../../core/keychain-finding.ts'
import { syncFinding } from '../../core/synced-folder.ts'
import type { Ports } from '../ports.ts'

import { examineSync } from '../sync/examine-sync.ts'

/** Facts about the machine and the folder, which only the host knows. */
export interface Surroundings {
  /** Whether the data folder is the owner's alone. */
  lookAtFolder(): Finding
  /** The program that syncs the data folder with other places, where one does. */
  syncedBy(): string | undefined
  /** Advice with each command as a person types it here. */
  asTyped(advice: string): string
}

/**
 * Looks for what is wrong with the library that is open and with all around it. Changes nothing.
 *
 * @param origin where the service serves
 */
export async function examineLibrary(
  ports: Ports,
  { lookAtFolder, syncedBy, asTyped }: Surroundings,
  origin: string
): Promise<DoctorReport> {
  const { library, keychain, now } = ports
  const [ofLibrary, fault, sync] = await Promise.all([library.examine(now()), keychain.fault(), examineSync(ports)])
  const port: Finding = { check: 'port', state: 'ok', text: `Earmark serves at ${origin}.` }
  const findings = [
    lookAtFolder(),
    ...syncFinding(syncedBy()),
    ...ofLibrary,
    port,
    keychainFinding(fault),
    ...sync
  ].map((one) => (one.advice === undefined ? one : { ...one, advice: asTyped(one.advice) }))
  return { healthy: findings.every(({ state }) => state !== 'problem'), findings }
}
