import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { Problem } from '../contract/problem.ts'
import type { SyncFolder, SyncFolders } from '../contract/sync.ts'
import { replaceFile } from '../files/replace-file.ts'
import { newCode, readCode } from './code.ts'
import { seal, unseal } from './sealed.ts'
import { readSegment, writeSegment } from './segment-text.ts'

/** Layout of the owner's folder: one folder, in it a file for checking the key, and a folder for each device. */
const OURS = 'earmark-sync'
const KEY_CHECK = 'key-check'
const CHECK_TEXT = 'earmark'

/** Limit of a file that is read, in bytes: far more than a device writes into one. */
const MOST_BYTES = 64 * 1024 * 1024

const DEVICE = /^[0-9a-f]{32}$/
const SEGMENT = /^(\d{8})\.seg$/

/** Folders that another program copies between machines: Syncthing, Dropbox, iCloud Drive, a network drive. */
export const syncFolders: SyncFolders = {
  newCode,
  newDevice: () => randomBytes(16).toString('hex'),
  isInUse: (folder) => orProblem(async () => (await found(join(folder, OURS, KEY_CHECK))) !== undefined),
  open: (folder, code, isNew) => orProblem(() => open(folder, readCode(code), isNew))
}

async function open(folder: string, key: Buffer, isNew: boolean): Promise<SyncFolder> {
  if (!isAbsolute(folder)) throw new Problem('invalid', 'Give the full path of the folder.')
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new Problem('not-found', `There is no folder ${folder}.`)
  }
  const ours = join(folder, OURS)
  const check = join(ours, KEY_CHECK)
  if (isNew) await replaceFile(check, await seal(CHECK_TEXT, key, KEY_CHECK), 0o600)
  const sealed = await found(check)
  if (!sealed) {
    throw new Problem(
      'not-found',
      `The folder ${folder} holds no bookmarks of Earmark. Was it emptied, or not yet copied?`
    )
  }
  if ((await unseal(sealed, key, KEY_CHECK)) !== CHECK_TEXT) {
    throw new Problem('invalid', 'The sync code belongs to another folder.')
  }
  const pathOf = (device: string, number: number) => join(ours, device, `${String(number).padStart(8, '0')}.seg`)
  const read = async (device: string, number: number) => {
    const file = await found(pathOf(device, number))
    return file && (await unseal(file, key, labelOf(device, number)))
  }
  return {
    list: () => orProblem(() => listSegments(ours)),
    read: (device, number) =>
      orProblem(async () => {
        const text = await read(device, number)
        const segment = text === undefined ? undefined : await readSegment(text)
        if (text !== undefined && !segment) throw unreadable(device, number)
        return segment && { device, number, ...segment }
      }),
    write: (segment) =>
      orProblem(async () => {
        const { device, number } = segment
        const path = pathOf(device, number)
        const text = writeSegment(segment)
        if (await found(path)) return (await read(device, number)) === text
        await mkdir(join(ours, device), { recursive: true, mode: 0o700 })
        for (const one of [join(ours, device), path]) if (await isLink(one)) throw linked(one)
        await replaceFile(path, await seal(text, key, labelOf(device, number)), 0o600)
        return true
      })
  }
}

function labelOf(device: string, number: number): string {
  return `segment ${device} ${number}`
}

/** Whatever a link leads to would be written outside the folder. */
async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true
}

function linked(path: string): Problem {
  return new Problem('invalid', `There is a link in the sync folder. Remove it: ${path}`)
}

function unreadable(device: string, number: number): Problem {
  return new Problem(
    'invalid',
    `Part ${number} of the device ${device} holds something this version of Earmark cannot read.`
  )
}

/** Lists what is whole by its name: what a program has not copied yet, or copied twice, has another. */
async function listSegments(ours: string): Promise<{ device: string; number: number }[]> {
  const entries = await readdir(ours, { withFileTypes: true })
  const devices = entries.flatMap((entry) => (entry.isDirectory() && DEVICE.test(entry.name) ? entry.name : [])).sort()
  const lists = devices.map(async (device) => {
    const names = await readdir(join(ours, device))
    const numbers = names.flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    return numbers.sort().map((number) => ({ device, number: Number(number) }))
  })
  return (await Promise.all(lists)).flat()
}

/** A link, a pipe or a file larger than any of ours, which others may have put there, is not read. */
async function found(path: string): Promise<Buffer | undefined> {
  const facts = await lstat(path).catch(() => undefined)
  if (facts && (!facts.isFile() || facts.size > MOST_BYTES)) return undefined
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

async function orProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Problem('disk-full', 'There is no room in the sync folder.')
    throw new Problem('not-found', `The sync folder cannot be used (${code}).`)
  }
}
