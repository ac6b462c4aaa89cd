import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyFiles } from '../contract/ports.ts'

/** Opens secrets in files of mode 0600 in `keys/` in the data folder. Every program of the owner can read them. */
export function openKeyFiles(dataFolder: string): KeyFiles {
  const folder = join(dataFolder, 'keys')
  const fileOf = (id: string) => join(folder, `${id}.key`)
  return {
    async write(id, secret) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(fileOf(id), `${secret}\n`, { mode: 0o600 })
      await chmod(fileOf(id), 0o600)
      return fileOf(id)
    },
    async read(id) {
      return readFile(fileOf(id), 'utf8').then(
        (text) => text.trim(),
        () => undefined
      )
    },
    async remove(id) {
      await rm(fileOf(id), { force: true })
    }
  }
}
