import type { SyncFolder, SyncRecord } from '../../contract/sync.ts'
import { inspectPicture } from '../pages/pictures.ts'
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

/** Writes pictures that somebody deleted from the folder, as others may wait for them, and keeps those that are missing here. */
export async function resendPictures(ports: Ports, folder: SyncFolder): Promise<void> {
  const { library } = ports
  const hashes = await library.listOriginals()
  for (const hash of await folder.missingPictures(hashes)) {
    const picture = await library.readOriginal(hash)
    if (picture) await folder.writePicture(hash, picture.bytes)
  }
  for (const hash of hashes) await receivePicture(ports, folder, hash)
}

/**
 * Keeps the pictures of some records.
 *
 * @returns why the records cannot be merged yet, if they cannot; and the hashes of pictures that are whole in the folder
 *   and cannot be kept, each with the reason as a sentence
 */
export async function receivePictures(
  ports: Ports,
  folder: SyncFolder,
  { name, records }: { name: string; records: SyncRecord[] }
): Promise<{ waits?: string | undefined; refused: Map<string, string> }> {
  const refused = new Map<string, string>()
  for (const hash of picturesOf(records)) {
    const fault = await receivePicture(ports, folder, hash)
    if (fault === 'missing') return { waits: `A picture of “${name}” is not in the folder yet, or not whole.`, refused }
    if (fault !== undefined) refused.set(hash, `Bookmarks of “${name}” were received without their pictures. ${fault}`)
  }
  return { refused }
}

/** Returns why a picture cannot be kept, as a sentence, or that it is missing in the folder. */
async function receivePicture(ports: Ports, folder: SyncFolder, hash: string): Promise<'missing' | string | undefined> {
  if (await ports.library.hasOriginal(hash)) return undefined
  const bytes = await folder.readPicture(hash)
  if (!bytes) return 'missing'
  const picture = await inspectPicture(ports, bytes)
  if ('fault' in picture) return picture.reason
  if (picture.hash !== hash) return 'The file in the sync folder holds another picture.'
  await ports.library.keepOriginal(picture, ports.now())
  return undefined
}

function picturesOf(records: SyncRecord[]): Set<string> {
  return new Set(records.flatMap(({ fields }) => (typeof fields.picture?.[0] === 'string' ? fields.picture[0] : [])))
}
