import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { Problem } from '../../contract/problem.ts'
import { readingFamily } from '../family.ts'
import { backupFolder } from './backups.ts'
import { syncFolder, syncLargeFile } from './file-sync.ts'

/** What we name backups; nothing else is ever removed from a folder of the owner's. */
const OURS = /^(?:daily|weekly|manual|replaced)-[\dTZ-]+\.sqlite$/

/** How many copies are kept whose name a backup of another library took. */
const REPLACED_KEPT = 3

/** Copies of backups in a folder of the owner's choice, which may be on another disk. */
export const backupCopies = readingFamily({
  here(_, data) {
    return {
      /**
       * Whether backups can be copied to a folder.
       *
       * @throws Problem `invalid` saying why not
       */
      checkCopyFolder: (folder: string): void => checkFolder(folder, data),

      /**
       * Copies the backups that are missing there, each whole and on disk or not at all, and lets go of old copies.
       * Those whose backup is gone stay until newer ones come: the data folder may have been lost, and they be all
       * there is.
       *
       * @param kept how many of each kind
       * @throws Problem `invalid` when the folder cannot be used; what else the disk refuses
       */
      async copyBackups(folder: string, kept: Record<string, number>): Promise<void> {
        checkFolder(folder, data)
        const target = join(folder, nameOf(data))
        const backups = backupFolder(data)
          .list()
          .filter(({ name }) => OURS.test(name))
        for (const { name, path, bytes } of backups) {
          const copy = join(target, name)
          const there = statSync(copy, { throwIfNoEntry: false })
          if (there?.size === bytes) continue
          await copyWhole(path, copy, there && join(target, replacedName(there.mtime)))
        }
        syncFolder(target)
        removeOld(target, { ...kept, replaced: REPLACED_KEPT }, new Set(backups.map(({ name }) => name)))
      },

      /** What is wrong with the copies there, as a sentence; `undefined` where the newest backup is among them. */
      copyFault(folder: string): string | undefined {
        try {
          checkFolder(folder, data)
        } catch (error) {
          return (error as Error).message
        }
        const [newest] = backupFolder(data)
          .list()
          .filter(({ name }) => OURS.test(name))
        if (!newest) return undefined
        const copy = statSync(join(folder, nameOf(data), newest.name), { throwIfNoEntry: false })
        return copy?.size === newest.bytes ? undefined : 'The newest backup is not there yet.'
      }
    }
  }
})

/** A folder of its own for each library, so that several can be backed up to one place. */
function nameOf(data: string): string {
  const id = createHash('sha256').update(resolve(data)).digest('hex').slice(0, 6)
  return `earmark-${hostname().replace(/[^\w.-]/g, '-')}-${id}`
}

/** What a copy is called whose name another backup takes, by when it was made. */
function replacedName(made: Date): string {
  return `replaced-${made.toISOString().replace(/[:.]/g, '-')}.sqlite`
}

/** Names end with the time, so the last of a kind are the newest. */
function removeOld(target: string, kept: Record<string, number>, current: Set<string>): void {
  const ours = readdirSync(target).filter((name) => OURS.test(name))
  for (const [kind, count] of Object.entries(kept)) {
    const newestFirst = ours
      .filter((name) => name.startsWith(`${kind}-`))
      .sort()
      .toReversed()
    for (const name of newestFirst.slice(count)) {
      if (!current.has(name)) rmSync(join(target, name), { force: true })
    }
  }
}

/** @param aside where what has its name goes */
async function copyWhole(from: string, to: string, aside: string | undefined): Promise<void> {
  const draft = `${to}.tmp`
  try {
    await copyFile(from, draft)
    await syncLargeFile(draft)
    if (aside !== undefined) renameSync(to, aside)
    renameSync(draft, to)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Makes the library's own folder there, where it can. */
function checkFolder(folder: string, data: string): void {
  if (!isAbsolute(folder)) throw unusable('Give the whole path of a folder.')
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) throw unusable(`There is no folder ${folder}. Make it first, or connect the disk it is on.`)
  if (!found.isDirectory()) throw unusable(`${folder} is a file, not a folder.`)
  const inside = relative(resolve(data), resolve(folder))
  if (inside === '' || !(inside.startsWith('..') || isAbsolute(inside))) {
    throw unusable('That is in the data folder, where backups are already. Choose a folder elsewhere.')
  }
  try {
    // Not `recursive`: where a folder cannot be made, that goes on trying for ever (Node, in /proc).
    mkdirSync(join(folder, nameOf(data)), { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(`Earmark cannot write to ${folder}.`)
  }
}

function unusable(message: string): Problem {
  return new Problem('invalid', message)
}
