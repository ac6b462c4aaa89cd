import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../contract/doctor.ts'
import { syncedBy } from '../core/synced-folder.ts'

/** Whether only the owner can read the data folder and what is in it. Windows has no such modes. */
export function lookAtFolder(folder: string, repair: boolean): Finding {
  const open = process.platform === 'win32' ? [] : [folder, ...filesBelow(folder)].filter(isOpen)
  if (open.length === 0) return { check: 'folder', state: 'ok', text: `Only your account can read ${folder}.` }
  const text = `Other users of this computer can read ${open.length} of the files and folders in ${folder}.`
  if (!repair) return { check: 'folder', state: 'problem', text, advice: 'Run: earmark doctor --repair' }
  for (const path of open) chmodSync(path, statSync(path).mode & 0o700)
  return { check: 'folder', state: 'repaired', text }
}

/** The desktop's own files are Chromium's to guard, behind a folder that nobody else may enter. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink() && entry.name !== 'desktop')
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? [path, ...filesBelow(path)] : [path]
    })
}

function isOpen(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts !== undefined && (facts.mode & 0o077) !== 0
}

/** The program that syncs the data folder with other places, as far as names tell. */
export function syncsFolder(folder: string): string | undefined {
  return syncedBy(folder, (path, name) => existsSync(join(path, name)))
}
