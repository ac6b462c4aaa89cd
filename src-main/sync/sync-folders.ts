import { createHmac, randomBytes } from 'node:crypto'
import { Problem } from '../contract/problem.ts'
import type { SyncFolder, SyncFolders, SyncListing } from '../contract/sync.ts'
import { isOnServer, type SyncPlace } from '../contract/sync-place.ts'
import { newCode, readCode } from './code.ts'
import type { FileStore } from './file-store.ts'
import { localFolder } from './local-folder.ts'
import { seal, unseal, unsealBytes } from './sealed.ts'
import { readPart, readSegment, writePart, writeSegment } from './segment-text.ts'

/**
 * Layout of the owner's folder: one folder of ours, in it a file for checking the key, and a folder for each device. A
 * device has segments, `NUMBER.seg`, and snapshots in parts, `AFTER-PART.part`, of which the last is `AFTER-PART.last`.
 * Pictures are beside the devices, under names that tell nobody without the key which pictures they are.
 */
const OURS = 'earmark-sync'
const KEY_CHECK = 'key-check'
const PICTURES = 'pictures'
const CHECK_TEXT = 'earmark'

const DEVICE = /^[0-9a-f]{32}$/
const SEGMENT = /^(\d{8})\.seg$/
const PART = /^(\d{8})-(\d{6})\.(part|last)$/

export const syncFolders: SyncFolders = {
  newCode,
  newDevice: () => randomBytes(16).toString('hex'),
  isInUse: async (place) => (await (await storeOf(place)).read(KEY_CHECK)) !== undefined,
  open: async (place, code, isNew) => {
    const key = readCode(code)
    return open(await storeOf(place), place.folder, key, isNew)
  }
}

async function storeOf({ folder, password }: SyncPlace): Promise<FileStore> {
  if (!isOnServer(folder)) return localFolder(folder, OURS)
  return (await import('./webdav-folder.ts')).webdavFolder(folder, password, OURS)
}

async function open(store: FileStore, folder: string, key: Buffer, isNew: boolean): Promise<SyncFolder> {
  if (isNew) await store.write(KEY_CHECK, await seal(CHECK_TEXT, key, KEY_CHECK))
  const sealed = await store.read(KEY_CHECK)
  if (!sealed) {
    throw new Problem(
      'not-found',
      `Nothing of Earmark is in ${folder}. Is it the folder of your other machines? Was it emptied, or not copied yet?`
    )
  }
  if ((await unseal(sealed, key, KEY_CHECK)) !== CHECK_TEXT) {
    throw new Problem('invalid', 'The sync code belongs to another folder.')
  }
  let pictures: Set<string> | undefined
  /** A file under another name is no longer whole. */
  const textOf = async (path: string) => {
    const file = await store.read(path)
    return file && (await unseal(file, key, path))
  }
  const readPicture: SyncFolder['readPicture'] = async (hash) => {
    const path = `${PICTURES}/${pictureName(hash, key)}`
    const file = await store.read(path)
    const bytes = file && (await unsealBytes(file, key, path))
    return bytes && new Uint8Array(bytes)
  }
  return {
    list: () => listDevices(store),
    async read(device, number) {
      const text = await textOf(segmentPath(device, number))
      if (text === undefined) return undefined
      const segment = await readSegment(text)
      if (!segment) throw unreadable(number, device)
      return { device, number, ...segment }
    },
    async readPart({ device, snapshot }, part) {
      if (!snapshot) return undefined
      const { after, parts } = snapshot
      const isLast = part === parts
      const text = await textOf(partPath({ device, after, part, isLast }))
      if (text === undefined) return undefined
      const read = await readPart(text)
      if (!read) throw unreadable(part, device)
      return { device, after, part, isLast, ...read }
    },
    async write(segment) {
      const path = segmentPath(segment.device, segment.number)
      const text = writeSegment(segment)
      // One that is not whole was interrupted.
      const there = await textOf(path)
      if (there !== undefined) return there === text
      await store.write(path, await seal(text, key, path))
      return true
    },
    async writePart(part) {
      const path = partPath(part)
      await store.write(path, await seal(writePart(part), key, path))
    },
    async hasPicture(hash) {
      pictures ??= new Set(await store.list(PICTURES))
      // One whose writing was interrupted has its name, too.
      return pictures.has(pictureName(hash, key)) && (await readPicture(hash)) !== undefined
    },
    readPicture,
    async writePicture(hash, bytes) {
      const name = pictureName(hash, key)
      await store.write(`${PICTURES}/${name}`, await seal(bytes, key, `${PICTURES}/${name}`))
      pictures?.add(name)
    },
    async removeBefore(device, after) {
      for (const name of await store.list(device)) {
        const number = SEGMENT.exec(name)?.[1]
        const snapshot = PART.exec(name)?.[1]
        const isOld = number ? Number(number) <= after : snapshot !== undefined && Number(snapshot) < after
        if (isOld) await store.remove(`${device}/${name}`)
      }
    }
  }
}

function pictureName(hash: string, key: Buffer): string {
  return createHmac('sha256', key).update(hash).digest('hex')
}

function segmentPath(device: string, number: number): string {
  return `${device}/${String(number).padStart(8, '0')}.seg`
}

function partPath({ device, after, part, isLast }: PartName): string {
  const numbers = `${String(after).padStart(8, '0')}-${String(part).padStart(6, '0')}`
  return `${device}/${numbers}.${isLast ? 'last' : 'part'}`
}

interface PartName {
  device: string
  after: number
  part: number
  isLast: boolean
}

function unreadable(part: number, device: string): Problem {
  return new Problem(
    'invalid',
    `Part ${part} of the device ${device} holds something this version of Earmark cannot read.`
  )
}

/** Lists what is whole by its name: what a program has not copied yet, or copied twice, has another. */
async function listDevices(store: FileStore): Promise<SyncListing[]> {
  const devices = (await store.list('')).filter((name) => DEVICE.test(name)).sort()
  return Promise.all(
    devices.map(async (device) => {
      const names = await store.list(device)
      const numbers = names.flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
      return { device, segments: new Set(numbers.map(Number)), snapshot: newestSnapshot(names) }
    })
  )
}

function newestSnapshot(names: string[]): SyncListing['snapshot'] {
  const parts = names.flatMap((name) => {
    const [, after, part, kind] = PART.exec(name) ?? []
    return after === undefined ? [] : { after: Number(after), part: Number(part), isLast: kind === 'last' }
  })
  const whole = parts.filter(({ after, part, isLast }) => isLast && earlier(parts, after, part) === part - 1)
  const newest = whole.sort((one, other) => other.after - one.after)[0]
  return newest && { after: newest.after, parts: newest.part }
}

/** Returns how many parts of a snapshot are there before one. A part that was written twice may have both names. */
function earlier(parts: { after: number; part: number }[], after: number, before: number): number {
  return new Set(parts.filter((one) => one.after === after && one.part < before).map(({ part }) => part)).size
}
