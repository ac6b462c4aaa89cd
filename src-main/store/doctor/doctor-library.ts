import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problem.ts'
import { Settings } from '../../contract/settings.ts'
import { isoTime } from '../../core/iso-time.ts'
import {
  openReadConnection,
  type ReadConnection,
  schemaVersion,
  type WriteConnection
} from '../../database/connection.ts'
import { assertFile, checkLibraryFile, openLibraryFile } from '../../database/library-file.ts'
import { lastSeen } from '../../database/lock.ts'
import { SCHEMA_VERSION } from '../../database/schema.ts'
import { indexFaults, rebuildIndex } from '../../search/sql/search-index.ts'
import { storedSettings } from '../access/settings.ts'
import {
  checkBackups,
  checkCopies,
  checkLeftovers,
  checkLog,
  MEND,
  type PictureFaults,
  pictureFaults,
  pictureFinding,
  removeStrayFiles,
  removeUnused
} from './doctor-files.ts'
import { type MendedReferences, mendReferences } from './mend-references.ts'
import { type Losses, salvageLibrary } from './salvage-library.ts'

interface LibraryHealth {
  findings: Finding[]
  /** The port in settings; `null` if none is set, or settings cannot be read. */
  port: number | null
}

/**
 * Checks a library and its folder, and repairs what can be repaired without loss.
 *
 * @param repair whether to repair. No other process may have the library open then.
 * @param served whether a service has the library open. The service checked the log when it started.
 */
export function doctorLibrary(folder: string, repair: boolean, now: number, served = false): LibraryHealth {
  const file = join(folder, 'library.sqlite')
  // First, because opening the library creates a log.
  const log = checkLog(folder, served)
  const leftovers = checkLeftovers(folder, repair)
  const backups = checkBackups(folder)
  const damage = damageOf(file)
  const losses = damage?.code === 'library-damaged' && repair ? salvageLibrary(folder, now) : undefined
  if (damage && !losses) return { findings: [cannotOpen(damage, repair), log, leftovers, backups], port: null }
  const integrity = losses ? salvaged(losses) : checkPages(folder, file, repair, now)
  if (isOlder(file)) {
    if (!repair) return { findings: [older(file), integrity, log, leftovers, backups], port: portOf(file) }
    withWriter(folder, file, now, () => {}) // opening it for writing upgrades it
  }
  const look = (db: ReadConnection) => faultsOf(db, folder, now)
  const faults = withReader(file, look)
  const { unused, files } = faults.pictures
  const tidy = repair && unused.length + files.length > 0
  const mend = repair && faults.references + faults.index.length + unused.length > 0
  const mended = mend
    ? withWriter(folder, file, now, (db) => {
        removeUnused(db, faults.pictures)
        return mendReferences(db, now)
      })
    : undefined
  if (tidy) removeStrayFiles(folder, faults.pictures)
  const remaining = mend ? withReader(file, look) : faults
  return {
    findings: [
      { check: 'library', state: 'ok', text: withReader(file, describe) },
      integrity,
      {
        check: 'references',
        ...(faults.references === 0
          ? { state: 'ok', text: 'All references are valid.' }
          : outcome(remaining.references === 0, [
              `Rows that refer to something missing: ${faults.references}.`,
              ...(mended ? describeMended(mended) : [])
            ]))
      },
      {
        check: 'index',
        ...(faults.index.length === 0
          ? { state: 'ok', text: 'The search index matches the bookmarks.' }
          : outcome(remaining.index.length === 0, [`The search index is wrong: ${faults.index.join('; ')}.`]))
      },
      pictureFinding(faults.pictures, tidy),
      withReader(file, checkCopies),
      log,
      leftovers,
      backups
    ],
    port: portOf(file)
  }
}

function portOf(file: string): number | null {
  return withReader(file, (db) => Settings.parse(storedSettings(db)).port)
}

function isOlder(file: string): boolean {
  return schemaVersion(file) < SCHEMA_VERSION
}

function older(file: string): Finding {
  const text = `${withReader(file, describe)} An older version of Earmark wrote it.`
  return {
    check: 'library',
    state: 'ok',
    text,
    advice: 'Start Earmark once to upgrade it, then run the check again.'
  }
}

function salvaged({ rescued, bookmarks, isWhole }: Losses): Finding {
  const copied = 'The library file was damaged. Everything that could be read was copied to a new file.'
  if (rescued + bookmarks === 0 && isWhole) return { check: 'integrity', state: 'repaired', text: copied }
  const text = [
    copied,
    ...(isWhole ? [] : ['Some rows could not be read.']),
    ...(rescued ? [`Bookmarks recovered with address, date, place and tags only: ${rescued}.`] : []),
    ...(bookmarks ? [`Bookmarks that are missing, at least: ${bookmarks}.`] : [])
  ]
  const advice = 'A backup may have the rest: earmark restore --newest'
  return { check: 'integrity', state: 'problem', text: text.join(' '), advice }
}

/** Returns the reason why the library cannot be opened; `undefined` if it can be opened. */
function damageOf(file: string): Problem | undefined {
  try {
    if (existsSync(file)) assertFile(file, 'write')
    checkLibraryFile(file)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function cannotOpen({ code, message }: Problem, tried: boolean): Finding {
  if (code === 'data-folder-unusable') return { check: 'library', state: 'problem', text: message }
  const mayMend = code === 'library-damaged' && !tried
  const advice = mayMend ? MEND : 'Replace it with a backup: earmark restore --newest'
  // The library is intact, and the message says what to do.
  return {
    check: 'library',
    state: 'problem',
    text: message,
    advice: code.startsWith('store-too-') ? undefined : advice
  }
}

function describe(db: ReadConnection): string {
  const bookmarks = db.prepare('SELECT count(*) FROM bookmarks WHERE deleted_at IS NULL').pluck().get()
  return `Schema ${db.pragma('user_version', { simple: true })}, bookmarks: ${bookmarks}.`
}

/** Checks every page, and that every index matches its table. */
function checkPages(folder: string, file: string, repair: boolean, now: number): Finding {
  if (isSound(file)) return { check: 'integrity', state: 'ok', text: 'The library file is intact.' }
  const text = 'An index of the library file does not match its table.'
  const losses = repair ? salvageLibrary(folder, now) : undefined
  if (losses) return salvaged(losses)
  return { check: 'integrity', state: 'problem', text, advice: MEND }
}

function isSound(file: string): boolean {
  return withReader(file, (db) => db.pragma('integrity_check(1)', { simple: true }) === 'ok')
}

interface Faults {
  references: number
  index: string[]
  pictures: PictureFaults
}

function faultsOf(db: ReadConnection, folder: string, now: number): Faults {
  return { references: countDangling(db), index: indexFaults(db), pictures: pictureFaults(db, folder, now) }
}

/** Counts references to missing rows, except pictures: a bookmark without its picture still has its title and tags. */
function countDangling(db: ReadConnection): number {
  const dangling = db.pragma('foreign_key_check') as { parent: string }[]
  return dangling.filter(({ parent }) => parent !== 'pictures').length
}

function outcome(isMended: boolean, text: string[]): Pick<Finding, 'state' | 'text' | 'advice'> {
  if (isMended) return { state: 'repaired', text: text.join(' ') }
  return { state: 'problem', text: text.join(' '), advice: MEND }
}

function describeMended({ adopted, revoked, removed }: MendedReferences): string[] {
  return [
    ...(adopted ? [`Bookmarks of a missing organization, now your private bookmarks: ${adopted}.`] : []),
    ...(revoked ? [`Keys of a missing organization, now revoked: ${revoked}.`] : []),
    ...(removed ? [`Rows of something missing, now removed: ${removed}.`] : [])
  ]
}

function withReader<T>(file: string, work: (db: ReadConnection) => T): T {
  const db = openReadConnection(file)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/**
 * Runs `work` and then rebuilds the index, in one transaction. Copies the library with its log before, so that a failed
 * repair loses nothing.
 */
function withWriter<T>(folder: string, file: string, now: number, work: (db: WriteConnection) => T): T {
  const copies = join(folder, `replaced-${isoTime(now).replace(/[:.]/g, '-')}`)
  if (!existsSync(copies)) {
    mkdirSync(copies, { mode: 0o700 })
    for (const end of ['', '-wal']) {
      if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, join(copies, `library.sqlite${end}`))
    }
  }
  const db = openLibraryFile(file)
  try {
    return db.transaction(() => {
      const done = work(db)
      rebuildIndex(db)
      return done
    })()
  } finally {
    db.close()
    lastSeen(folder).closed()
  }
}
