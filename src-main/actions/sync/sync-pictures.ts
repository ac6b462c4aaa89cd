import type { SyncFolder, SyncRecord } from '../../contract/sync.ts'
import { inspectPicture } from '../pages/save-picture.ts'
import type { Ports } from '../ports.ts'

/**
 * Writes the pictures of some records, and returns the records that can be sent: those of pictures that were deleted
 * meanwhile are left out.
 */
export async function sendPictures(
  { library }: Ports,
  folder: SyncFolder,
  records: SyncRecord[]
): Promise<SyncRecord[]> {
  const gone = new Set<string>()
  for (const hash of picturesOf(records)) {
    // One whose writing was interrupted is there, but not whole.
    if (await folder.readPicture(hash)) continue
    const picture = await library.readOriginal(hash)
    if (picture) await folder.writePicture(hash, picture.bytes)
    else gone.add(hash)
  }
  return gone.size === 0 ? records : records.filter(({ fields }) => !gone.has(String(fields.picture?.[0])))
}

/** Writes pictures that somebody deleted from the folder. The others may wait for them. */
export async function resendPictures({ library }: Ports, folder: SyncFolder): Promise<void> {
  const missing = await folder.missingPictures(await library.listOriginals())
  for (const hash of missing) {
    const picture = await library.readOriginal(hash)
    if (picture) await folder.writePicture(hash, picture.bytes)
  }
}

/** Keeps the pictures of some records. Returns why they cannot be merged yet, if they cannot. */
export async function receivePictures(
  ports: Ports,
  folder: SyncFolder,
  { name, records }: { name: string; records: SyncRecord[] }
): Promise<string | undefined> {
  for (const hash of picturesOf(records)) {
    if (await ports.library.hasOriginal(hash)) continue
    const bytes = await folder.readPicture(hash)
    if (!bytes) return `A picture of “${name}” is not in the folder yet, or not whole.`
    const picture = await inspectPicture(ports, bytes)
    if ('fault' in picture) return `A picture of “${name}” cannot be read. ${picture.reason}`
    if (picture.hash !== hash) return `A picture of “${name}” is another one than its bookmark says.`
    await ports.library.keepOriginal(picture, ports.now())
  }
  return undefined
}

function picturesOf(records: SyncRecord[]): Set<string> {
  return new Set(records.flatMap(({ fields }) => (typeof fields.picture?.[0] === 'string' ? fields.picture[0] : [])))
}
