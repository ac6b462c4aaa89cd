import { randomBytes } from 'node:crypto'
import type { DoctorReport, Finding } from '../../contract/doctor.ts'
import type { Keychain, Ports } from '../../contract/ports.ts'
import { keychainFinding } from '../../core/keychain-finding.ts'
import { syncFinding } from '../../core/synced-folder.ts'

/** What the host knows of where it runs. */
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
  { library, keychain, now }: Ports,
  { lookAtFolder, syncedBy, asTyped }: Surroundings,
  origin: string
): Promise<DoctorReport> {
  const [ofLibrary, keeps] = await Promise.all([library.examine(now()), worksHere(keychain)])
  const port: Finding = { check: 'port', state: 'ok', text: `Earmark serves at ${origin}.` }
  const findings = [lookAtFolder(), ...syncFinding(syncedBy()), ...ofLibrary, port, keychainFinding(keeps)].map(
    (one) => (one.advice === undefined ? one : { ...one, advice: asTyped(one.advice) })
  )
  return { healthy: findings.every(({ state }) => state !== 'problem'), findings }
}

/** Something is stored, read back and removed. */
async function worksHere(keychain: Keychain): Promise<boolean> {
  const account = `doctor-${randomBytes(8).toString('hex')}`
  const works = await keychain.store(account, randomBytes(16).toString('hex'))
  if (works) await keychain.remove(account)
  return works
}
