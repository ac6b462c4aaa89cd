import type { SyncFolder, SyncRecord } from '../../contract/sync.ts'
import { inspectPicture } from '../pictures.ts'
import type { Ports } from '../ports.ts'

/** Writes the pictures of records. Returns the records to send, without records whose picture has been deleted. */
export async function sendPictures(
  { library }: Ports,
  folder: SyncFolder,
  records: SyncRecord[]
): Promise<SyncRecord[]> {
  const gone = new Set<string>()
  for (const hash of picturesOf(records)) {
    // The picture is read, because an interrupted write leaves an incomplete file.
    if (await folder.readPicture(hash)) continue
    const picture = await library.readOriginal(hash)
    if (picture) await folder.writePicture(hash, picture.bytes)
    else gone.add(hash)
  }
  return gone.size === 0 ? records : records.filter(({ fields }) => !gone.has(String(fields.picture?.[0])))
}

/** Writes pictures again that were deleted from the folder, for other devices. Reads pictures that are missing here. */
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
 * Stores the pictures of records.
 *
 * @returns `waits`: why the records cannot be merged yet, if they cannot; `refused`: the reason, as a sentence, by the
 *   hash of each picture that cannot be stored
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

/**
 * Returns why a picture cannot be stored, as a sentence; `missing` if the folder lacks it; `undefined` if it is stored.
 */
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
