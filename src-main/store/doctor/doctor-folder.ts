/** Looks at the files around a library: its log, what was left unfinished, and its backups. */

import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Finding } from '../../contract/doctor.ts'
import { isoTime } from '../../core/iso-time.ts'
import { draftsIn } from '../../database/backups.ts'
import { lastSeen } from '../../database/last-seen.ts'
import { findRecovery } from '../../database/restore.ts'

export const MEND = 'Stop Earmark and run: earmark doctor --repair'

/** Files that a repair, a backup or a restore leaves behind when it is cut short. */
const LEFTOVER = /^library\.sqlite\.(new|restored)(-journal|-wal|-shm)?$/

/** @param served a service has the library open, which has looked after its log */
export function lookForLog(folder: string, served: boolean): Finding {
  if (served || !lastSeen(folder).lostLog())
    return { check: 'log', state: 'ok', text: 'No part of the log is missing.' }
  return {
    check: 'log',
    state: 'problem',
    text: 'library.sqlite-wal is missing or empty, although Earmark was not closed properly. The last saved bookmarks may be lost.',
    advice:
      'If you have that file, put it back before Earmark starts. A newer backup may have more: earmark restore --newest'
  }
}

/** @param repair whether they are removed */
export function lookForLeftovers(folder: string, repair: boolean): Finding {
  const beside = readdirSync(folder).filter((name) => LEFTOVER.test(name))
  const found = [...beside.map((name) => join(folder, name)), ...draftsIn(join(folder, 'backups'))]
  if (found.length === 0) return { check: 'leftovers', state: 'ok', text: 'There are no leftover files.' }
  const text = `Files left over from interrupted work: ${found.map((file) => basename(file)).join(', ')}.`
  if (!repair) return { check: 'leftovers', state: 'problem', text, advice: MEND }
  for (const file of found) rmSync(file, { force: true })
  return { check: 'leftovers', state: 'repaired', text }
}

export function lookAtBackups(folder: string): Finding {
  if (statSync(join(folder, 'backups'), { throwIfNoEntry: false })?.isDirectory() === false) {
    const text = 'In the data folder, “backups” is a file instead of a folder, so Earmark makes no backups.'
    return { check: 'backups', state: 'problem', text, advice: 'Move that file away.' }
  }
  const { backup } = findRecovery(folder)
  if (backup) {
    const text = `The newest good backup is of ${isoTime(backup.at)}, bookmarks: ${backup.bookmarks}.`
    return { check: 'backups', state: 'ok', text }
  }
  return {
    check: 'backups',
    state: 'unknown',
    text: 'There is no good backup yet.',
    advice: 'Make one: earmark backup'
  }
}
