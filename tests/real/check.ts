import type { PackagedApp } from './packaged-app.ts'

/** One thing that is tried on the packaged program. */
export interface Check {
  name: string
  /** Why it cannot be tried here; `undefined` where it can. */
  notHere?(app: PackagedApp): string | undefined
  /** Most that it may take, in seconds. */
  limit?: number
  /** Gives what it saw, for the table. Throws when it is not as it should be, `NotHere` when that cannot be seen. */
  run(app: PackagedApp): Promise<string>
}

/** Thrown by a check that finds only while it runs that it cannot be tried here. */
export class NotHere extends Error {}

export function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

export const onlyReal = ({ kind }: PackagedApp): string | undefined =>
  kind === 'real Electron' ? undefined : 'only real Electron shows it'

export const onlyOn = (platform: NodeJS.Platform) => (): string | undefined =>
  process.platform === platform ? undefined : `only on ${platform}`
