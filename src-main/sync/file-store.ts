import { Problem } from '../contract/problem.ts'

/** Where files are: a folder of this machine, or one on a server. Paths begin in `earmark-sync`, with `/` between names. */
export interface FileStore {
  /** Names in a folder; none where there is no such folder. */
  list(folder: string): Promise<string[]>
  /** `undefined` where there is no such file, or it is larger than any of ours. */
  read(path: string): Promise<Buffer | undefined>
  /** Writes a file whole or not at all, and makes its folder. */
  write(path: string, bytes: Buffer): Promise<void>
  remove(path: string): Promise<void>
}

/** Limit of a file that is read, in bytes: far more than a device writes into one. */
export const MOST_BYTES = 64 * 1024 * 1024

export function folderFull(): Problem {
  return new Problem('disk-full', 'There is no room in the sync folder.')
}

export function folderFault(code: string): Problem {
  return new Problem('not-found', `The sync folder cannot be used (${code}). Earmark tries again.`)
}
