import { createHash, createHmac, randomBytes } from 'node:crypto'
import { MAX_PICTURE_BYTES } from '../contract/bookmark.ts'
import { Problem } from '../contract/problem.ts'
import type { SyncFolder, SyncFolders, SyncListing, SyncPlace } from '../contract/sync.ts'
import { isOnServer } from '../contract/web-address.ts'
import { isSealed, newCode, readCode, seal, unseal, unsealBytes } from './encryption.ts'
import type { FileStore } from './local-folder.ts'
import { localFolder } from './local-folder.ts'
import { readPart, readSegment, writePart, writeSegment } from './segment-text.ts'

/**
 * Layout of the owner's folder: Earmark's folder, with a file for checking the key, and a folder for each device. A device
 * has segments, `NUMBER.seg`, and snapshots in parts, `AFTER-PART.part`, of which the last is `AFTER-PART.last`.
 * Pictures are beside the devices. Their names reveal nothing without the key.
 */
const OURS = 'earmark-sync'
const KEY_CHECK = 'key-check'
const PICTURES = 'pictures'
const CHECK_TEXT = 'earmark'

/** Limits of files, in bytes: twice what a device writes into one. */
const MAX_KEY_CHECK_BYTES = 1024
const MAX_RECORDS_BYTES = 16 * 1024 * 1024
const MAX_PICTURE_FILE_BYTES = 2 * MAX_PICTURE_BYTES

/** Limits of a folder's content, beyond which Earmark stops reading it. */
const MAX_DEVICES = 100
const MAX_FILES = 200_000

/** Limit of listing all machines, in ms: Earmark ends only after it. */
const LISTING_MS = 60_000

const DEVICE = /^[0-9a-f]{32}$/
const SEGMENT = /^(\d{8})\.seg$/
const PART = /^(\d{8})-(\d{6})\.(part|last)$/

export const syncFolders: SyncFolders = {
  newCode,
  newDevice: () => randomBytes(16).toString('hex'),
  isInUse: async (place) => (await readKeyCheck(await storeOf(place))) !== undefined,
  open: async (place, code, isNew, signal) => {
    const key = readCode(code)
    return open(await storeOf(place, signal), place.folder, key, isNew)
  }
}

async function storeOf({ folder, password }: SyncPlace, signal?: AbortSignal): Promise<FileStore> {
  if (!isOnServer(folder)) return localFolder(folder, OURS)
  return (await import('./webdav-folder.ts')).webdavFolder(folder, password, OURS, signal)
}

async function open(store: FileStore, folder: string, key: Buffer, isNew: boolean): Promise<SyncFolder> {
  if (isNew) await store.write(KEY_CHECK, await seal(CHECK_TEXT, key, KEY_CHECK))
  const sealed = await readKeyCheck(store)
  if (!sealed) {
    throw new Problem(
      'not-found',
      `Nothing of Earmark is in ${folder}. Is it the folder of your other machines? Was it emptied, or not copied yet?`
    )
  }
  if ((await unseal(sealed, key, KEY_CHECK)) !== CHECK_TEXT) {
    throw new Problem('invalid', 'The sync code belongs to another folder.')
  }
  /** A file under another name is no longer whole. */
  const textOf = async (path: string) => {
    const file = await store.read(path, MAX_RECORDS_BYTES)
    return file && (await unseal(file, key, path))
  }
  const readPicture: SyncFolder['readPicture'] = async (hash) => {
    const path = `${PICTURES}/${pictureName(hash, key)}`
    const file = await store.read(path, MAX_PICTURE_FILE_BYTES)
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
      return { device, number, digest: createHash('sha256').update(text).digest('hex'), ...segment }
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
    async isWhole({ device, snapshot }, file) {
      if ('segment' in file) return (await textOf(segmentPath(device, file.segment))) !== undefined
      const { after, parts } = snapshot ?? { after: 0, parts: 0 }
      const isLast = file.part === parts
      return (await textOf(partPath({ device, after, part: file.part, isLast }))) !== undefined
    },
    async write(segment) {
      const path = segmentPath(segment.device, segment.number)
      const text = writeSegment(segment)
      const there = await textOf(path).catch((error) => {
        if (error instanceof Problem && error.code === 'store-too-new') return error
        throw error
      })
      // One that is not whole was interrupted.
      if (there !== undefined) return there === text
      await store.write(path, await seal(text, key, path))
      return true
    },
    async writePart(part) {
      const path = partPath(part)
      await store.write(path, await seal(writePart(part), key, path))
    },
    readPicture,
    async writePicture(hash, bytes) {
      const path = `${PICTURES}/${pictureName(hash, key)}`
      await store.write(path, await seal(bytes, key, path))
    },
    async missingPictures(hashes) {
      if (hashes.length === 0) return []
      const names = new Set(await store.list(PICTURES))
      return hashes.filter((hash) => !names.has(pictureName(hash, key)))
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

/**
 * Returns the file that proves a key; `undefined` if there is none.
 *
 * @throws Problem `invalid` if there is something else: another key must not be written over it
 */
async function readKeyCheck(store: FileStore): Promise<Buffer | undefined> {
  const file = await store.read(KEY_CHECK, MAX_KEY_CHECK_BYTES)
  if (!file || isSealed(file)) return file
  throw new Problem('invalid', `The file ${OURS}/${KEY_CHECK} is damaged, or not of Earmark.`)
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

/** Lists complete files by their names. Programs that copy files give incomplete and duplicate ones other names. */
async function listDevices(store: FileStore): Promise<SyncListing[]> {
  const devices = (await store.list('')).filter((name) => DEVICE.test(name)).sort()
  if (devices.length > MAX_DEVICES) throw tooMany(`${devices.length} machines`)
  const begun = performance.now()
  let files = 0
  const listings: SyncListing[] = []
  // One after the other: a server may list very many files for each.
  for (const device of devices) {
    const { names, fault } = await listNames(store, device)
    if (performance.now() - begun > LISTING_MS) {
      throw new Problem('not-found', 'The sync folder answers too slowly. Earmark tries again.')
    }
    files += names.length
    if (files > MAX_FILES) throw tooMany(`more than ${MAX_FILES} files`)
    const numbers = names.flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    listings.push({ device, segments: new Set(numbers.map(Number)), snapshot: newestSnapshot(names), fault })
  }
  return listings
}

/** A folder that cannot be read keeps back no other. */
async function listNames(store: FileStore, device: string): Promise<{ names: string[]; fault?: string }> {
  try {
    return { names: await store.list(device) }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'forbidden') throw error
    return { names: [], fault: error.message }
  }
}

function tooMany(what: string): Problem {
  return new Problem('invalid', `The sync folder holds ${what}. Leave on all machines, and begin a new folder.`)
}

function newestSnapshot(names: string[]): SyncListing['snapshot'] {
  const snapshots = new Map<number, { parts: Set<number>; last: number }>()
  for (const name of names) {
    const [, after, part, kind] = PART.exec(name) ?? []
    if (after === undefined) continue
    const snapshot = snapshots.get(Number(after)) ?? { parts: new Set(), last: 0 }
    snapshots.set(Number(after), snapshot)
    snapshot.parts.add(Number(part))
    if (kind === 'last') snapshot.last = Math.max(snapshot.last, Number(part))
  }
  let newest: SyncListing['snapshot']
  for (const [after, { parts, last }] of snapshots) {
    // A part that was written twice may have both names, so counting files would not do.
    const isWhole = last > 0 && parts.size >= last && Array.from({ length: last }).every((_, at) => parts.has(at + 1))
    if (isWhole && after >= (newest?.after ?? 0)) newest = { after, parts: last }
  }
  return newest
}
