import type { Finding } from '../contract/doctor.ts'

/** What a program that syncs folders calls its own: a part of a path, and a file or folder that it leaves there. */
const PROGRAMS: { name: string; part?: RegExp; marks?: string[] }[] = [
  // Not `.dropbox`: that is also where it keeps its settings, in the home folder of everybody who has it.
  { name: 'Dropbox', part: /^Dropbox(?: \(.+\))?$/i, marks: ['.dropbox.cache'] },
  { name: 'OneDrive', part: /^OneDrive(?: ?- ?.+)?$/i },
  { name: 'iCloud Drive', part: /^(?:iCloud ?Drive|Mobile Documents|com~apple~CloudDocs)$/i },
  { name: 'Google Drive', part: /^(?:Google ?Drive(?:-.+)?|My Drive)$/i, marks: ['.tmp.drivedownload'] },
  { name: 'Nextcloud', part: /^Nextcloud$/i, marks: ['.nextcloudsync.log'] },
  { name: 'ownCloud', part: /^ownCloud$/i, marks: ['.owncloudsync.log'] },
  { name: 'Syncthing', marks: ['.stfolder'] }
]

/**
 * The program that syncs a folder, as far as names tell. Such a program copies a database while it is written to, and
 * puts one machine's over another's.
 *
 * @param folder its whole path, of any system
 * @param holds whether a folder on the way holds something of that name
 */
export function syncedBy(folder: string, holds: (folder: string, name: string) => boolean): string | undefined {
  const parts = folder.split(/[\\/]+/)
  for (let end = parts.length; end > 0; end -= 1) {
    const part = parts[end - 1] ?? ''
    const path = parts.slice(0, end).join('/') || '/'
    const found = PROGRAMS.find((one) => one.part?.test(part) || one.marks?.some((mark) => holds(path, mark)))
    if (found) return found.name
    // Where macOS keeps the folders of all who sync through it, each under the program's name and the account's.
    if (parts[end - 2] === 'CloudStorage') return part.replace(/-.*/, '')
  }
  return undefined
}

/** That another program may put other files in the library's place, where one syncs the data folder. */
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
