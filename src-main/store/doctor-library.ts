import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Finding } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'
import { checkLibraryFile } from './check-library-file.ts'
import { openReadConnection, type ReadConnection, type WriteConnection } from './connection.ts'
import { type PictureFaults, pictureFaults, pictureFinding, removeStrayFiles } from './doctor-pictures.ts'
import { indexFaults, rebuildIndex } from './index-faults.ts'
import { lastSeen } from './last-seen.ts'
import { openLibraryFile } from './open-library-file.ts'
import { findRecovery } from './recover-library.ts'
import { salvageLibrary } from './salvage-library.ts'
import { settingReads } from './setting-store.ts'

/** What a repair leaves behind when it is cut short, and so do a backup and a restore. */
const LEFTOVER = /^library\.sqlite\.(new|restored)(-wal|-shm)?$/

interface LibraryHealth {
  findings: Finding[]
  /** The port in settings, where they can be read. */
  port: number | null
}

/**
 * Looks through a library and its folder, and mends what can be mended without loss.
 *
 * @param repair whether to; then nobody else has the library open
 */
export function doctorLibrary(folder: string, repair: boolean, now: number): LibraryHealth {
  const file = join(folder, 'library.sqlite')
  const leftovers = lookForLeftovers(folder, repair)
  const backups = lookAtBackups(folder)
  const damage = damageOf(file)
  const isMended = damage !== undefined && repair && salvageLibrary(folder, now)
  if (damage && !isMended) return { findings: [lost(damage, repair), leftovers, backups], port: null }
  const mended = isMended ? MENDED : undefined
  const integrity = mended ?? lookAtPages(folder, file, repair, now)
  const faults = withReader(file, (db) => ({
    references: countDangling(db),
    index: indexFaults(db),
    pictures: pictureFaults(db, folder, now)
  }))
  const mend = repair && (faults.references > 0 || faults.index.length > 0)
  const tidy = repair && faults.pictures.unused.length + faults.pictures.files.length > 0
  if (mend || (repair && faults.pictures.unused.length > 0)) {
    withWriter(folder, file, now, (db) => mendRows(db, faults.index.length > 0, faults.pictures))
  }
  if (tidy) removeStrayFiles(folder, faults.pictures)
  const state = mend ? 'repaired' : 'problem'
  const advice = mend ? {} : { advice: MEND }
  return {
    findings: [
      { check: 'library', state: 'ok', text: withReader(file, describe) },
      integrity,
      faults.references === 0
        ? { check: 'references', state: 'ok', text: 'Everything that is referred to is there.' }
        : {
            check: 'references',
            state,
            text: `Rows that refer to what is not there: ${faults.references}.`,
            ...advice
          },
      faults.index.length === 0
        ? { check: 'index', state: 'ok', text: 'The search index agrees with the bookmarks.' }
        : { check: 'index', state, text: `The search index is wrong: ${faults.index.join('; ')}.`, ...advice },
      pictureFinding(faults.pictures, tidy),
      leftovers,
      backups
    ],
    port: withReader(file, (db) => settingReads(db).readSettings().port)
  }
}

const MEND = 'Stop Earmark and run: earmark doctor --repair'

const MENDED: Finding = {
  check: 'integrity',
  state: 'repaired',
  text: 'The library file was damaged. All its rows could be read, and are in a new one.'
}

/** What keeps the library from being opened. */
function damageOf(file: string): Problem | undefined {
  try {
    checkLibraryFile(file)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function lost({ code, message }: Problem, tried: boolean): Finding {
  const mayMend = code === 'library-damaged' && !tried
  const advice = mayMend ? MEND : 'Put a backup in its place: earmark restore --newest'
  return { check: 'library', state: 'problem', text: message, advice }
}

function describe(db: ReadConnection): string {
  const bookmarks = db.prepare('SELECT count(*) FROM bookmarks WHERE deleted_at IS NULL').pluck().get()
  return `Schema ${db.pragma('user_version', { simple: true })}, bookmarks: ${bookmarks}.`
}

/** Every page, and whether every index holds what its table does. */
function lookAtPages(folder: string, file: string, repair: boolean, now: number): Finding {
  if (isSound(file)) return { check: 'integrity', state: 'ok', text: 'The library file is whole.' }
  const text = 'An index of the library file does not hold what its table does.'
  if (repair && salvageLibrary(folder, now)) return { check: 'integrity', state: 'repaired', text }
  return { check: 'integrity', state: 'problem', text, advice: MEND }
}

function isSound(file: string): boolean {
  return withReader(file, (db) => db.pragma('integrity_check(1)', { simple: true }) === 'ok')
}

function mendRows(db: WriteConnection, index: boolean, { unused }: PictureFaults): void {
  const dangling = danglingRows(db)
  for (const { table, rowid } of dangling) {
    if (rowid !== null) db.prepare(`DELETE FROM "${table}" WHERE rowid = ?`).run(rowid)
  }
  // Tables without row ids hold only what joins two others.
  for (const sql of JOINS) db.exec(sql)
  for (const hash of unused) db.prepare('DELETE FROM pictures WHERE hash = ?').run(hash)
  if (index || dangling.length > 0) rebuildIndex(db)
}

const JOINS = [
  `DELETE FROM bookmark_tags WHERE bookmark_id NOT IN (SELECT id FROM bookmarks)
     OR tag_id NOT IN (SELECT id FROM tags)`,
  'DELETE FROM picture_colors WHERE bookmark_id NOT IN (SELECT id FROM bookmarks)'
]

interface Dangling {
  table: string
  rowid: number | null
  parent: string
}

function countDangling(db: ReadConnection): number {
  return danglingRows(db).length
}

/** A bookmark whose picture is missing is not among them: it still has its title and its tags. */
function danglingRows(db: Pick<ReadConnection, 'pragma'>): Dangling[] {
  return (db.pragma('foreign_key_check') as Dangling[]).filter(({ parent }) => parent !== 'pictures')
}

function lookForLeftovers(folder: string, repair: boolean): Finding {
  const backups = join(folder, 'backups')
  const found = [
    ...readdirSync(folder)
      .filter((name) => LEFTOVER.test(name))
      .map((name) => join(folder, name)),
    ...(existsSync(backups) ? readdirSync(backups) : [])
      .filter((name) => name.endsWith('.tmp'))
      .map((name) => join(backups, name))
  ]
  if (found.length === 0) return { check: 'leftovers', state: 'ok', text: 'Nothing was left unfinished.' }
  const text = `Left behind by what was cut short: ${found.map((file) => basename(file)).join(', ')}.`
  if (!repair) return { check: 'leftovers', state: 'problem', text, advice: MEND }
  for (const file of found) rmSync(file, { force: true })
  return { check: 'leftovers', state: 'repaired', text }
}

function lookAtBackups(folder: string): Finding {
  const { backup } = findRecovery(folder)
  if (backup) {
    const text = `The newest good backup is of ${new Date(backup.at).toISOString()}, bookmarks: ${backup.bookmarks}.`
    return { check: 'backups', state: 'ok', text }
  }
  return {
    check: 'backups',
    state: 'unknown',
    text: 'There is no good backup yet.',
    advice: 'Make one: earmark backup'
  }
}

function withReader<T>(file: string, work: (db: ReadConnection) => T): T {
  const db = openReadConnection(file)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** What is there is copied first, with its log: a repair that goes wrong takes nothing with it. */
function withWriter(folder: string, file: string, now: number, work: (db: WriteConnection) => void): void {
  const kept = join(folder, `replaced-${new Date(now).toISOString().replace(/[:.]/g, '-')}`)
  if (!existsSync(kept)) {
    mkdirSync(kept, { mode: 0o700 })
    for (const end of ['', '-wal']) {
      if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, join(kept, `library.sqlite${end}`))
    }
  }
  const db = openLibraryFile(file)
  try {
    db.transaction(() => work(db))()
  } finally {
    db.close()
    lastSeen(folder).closed()
  }
}
