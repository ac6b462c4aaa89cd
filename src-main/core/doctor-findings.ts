import type { Finding } from '../contract/doctor.ts'

/** Programs that sync folders: the name of a folder they sync, and files or folders that they leave in it. */
const PROGRAMS: { name: string; part?: RegExp; marks?: string[] }[] = [
  // `.dropbox` is no mark, because every user of Dropbox has it in the home folder, for settings.
  { name: 'Dropbox', part: /^Dropbox(?: \(.+\))?$/i, marks: ['.dropbox.cache'] },
  { name: 'OneDrive', part: /^OneDrive(?: ?- ?.+)?$/i },
  { name: 'iCloud Drive', part: /^(?:iCloud ?Drive|Mobile Documents|com~apple~CloudDocs)$/i },
  { name: 'Google Drive', part: /^(?:Google ?Drive(?:-.+)?|My Drive)$/i, marks: ['.tmp.drivedownload'] },
  { name: 'Nextcloud', part: /^Nextcloud$/i, marks: ['.nextcloudsync.log'] },
  { name: 'ownCloud', part: /^ownCloud$/i, marks: ['.owncloudsync.log'] },
  { name: 'Syncthing', marks: ['.stfolder'] }
]

/**
 * Returns the program that syncs a folder, judged only by names of files and folders. Such a program copies a database
 * while Earmark writes to it, and replaces the database of one machine with that of another.
 *
 * @param folder a full path of any operating system
 * @param holds whether a folder contains a file or folder of this name
 */
export function syncedBy(folder: string, holds: (folder: string, name: string) => boolean): string | undefined {
  const parts = folder.split(/[\\/]+/)
  for (let end = parts.length; end > 0; end -= 1) {
    const part = parts[end - 1] ?? ''
    const path = parts.slice(0, end).join('/') || '/'
    const program = PROGRAMS.find(
      ({ part: name, marks }) => name?.test(part) || marks?.some((mark) => holds(path, mark))
    )
    if (program) return program.name
    // macOS stores synced folders in `CloudStorage`, each named after the program and the account.
    if (parts[end - 2] === 'CloudStorage') return part.replace(/-.*/, '')
  }
  return undefined
}

/** Returns a warning if a program syncs the data folder, because it may overwrite the library. */
export function syncFinding(program: string | undefined): Finding[] {
  if (program === undefined) return []
  return [
    {
      check: 'folder',
      state: 'problem',
      text: `${program} syncs the data folder. It can copy a half-written library, or overwrite it with another computer’s.`,
      advice: 'Move the data folder elsewhere, start Earmark with --data, and let backups be copied to the synced one.'
    }
  ]
}

/** @param fault why the keychain cannot store secrets, if it cannot */
export function keychainFinding(fault: string | undefined): Finding {
  if (fault === undefined) return { check: 'keychain', state: 'ok', text: 'The keychain stores secrets.' }
  return {
    check: 'keychain',
    state: 'unknown',
    text: `No keychain is available, so new keys are shown once and not stored: ${fault}`,
    advice: 'Unlock or install one, or use: earmark keys create --name NAME --key-file'
  }
}
