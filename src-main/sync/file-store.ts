import { Problem } from '../contract/problem.ts'

/** Where files are: a folder of this machine, or one on a server. Paths begin in `earmark-sync`, with `/` between names. */
export interface FileStore {
  /**
   * Names in a folder, and possibly its own; none if there is no such folder.
   *
   * @throws Problem `forbidden` if this folder cannot be read, though others may
   */
  list(folder: string): Promise<string[]>
  /** `undefined` if there is no such file, or it is larger than so many bytes. */
  read(path: string, maxBytes: number): Promise<Buffer | undefined>
  /** Writes a file whole or not at all, and makes its folder. */
  write(path: string, bytes: Buffer): Promise<void>
  remove(path: string): Promise<void>
}

export function folderFull(): Problem {
  return new Problem('disk-full', 'There is no room in the sync folder.')
}
