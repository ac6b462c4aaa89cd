import type { CopyPart } from '../contract/extension.ts'
import { type CopyFault, MAX_COPY_BYTES } from '../contract/page-copy.ts'
import { Problem } from '../contract/problem.ts'
import { findBookmark, findSaved } from './bookmarks/read-bookmark.ts'
import type { Ports } from './ports.ts'

/** An upload is deleted if no part arrives for this time, in ms. */
const MAX_PAUSE_MS = 60_000

/** Maximum number of uploads at once, each of which takes up to 20 MB of memory. */
const MAX_UPLOADS = 3

const GB = 1e9

interface Upload {
  parts: Map<number, Buffer>
  size: number
  timer: NodeJS.Timeout
  /** Set after all parts have arrived. */
  storing?: Promise<void>
  /** Needed for a part that is sent again because its answer was lost. */
  isStored?: boolean
}

export type CopyUploads = ReturnType<typeof createCopyUploads>

/** Collects the parts of copies that the browser extension sends, and stores each copy that is complete. */
export function createCopyUploads(ports: Ports) {
  const uploads = new Map<string, Upload>()

  function forget(name: string): void {
    clearTimeout(uploads.get(name)?.timer)
    uploads.delete(name)
  }

  async function begin(name: string): Promise<Upload> {
    await assertRoom(ports, 1)
    const known = uploads.get(name)
    if (known) return known
    const unfinished = [...uploads.values()].filter((upload) => !upload.isStored)
    if (unfinished.length >= MAX_UPLOADS)
      throw new Problem('too-many', 'Other copies are being saved. Try again shortly.')
    const upload = { parts: new Map(), size: 0, timer: setTimeout(() => forget(name), MAX_PAUSE_MS).unref() }
    uploads.set(name, upload)
    return upload
  }

  return {
    /**
     * Adds a part. The extension repeats a part whose answer was lost, and gets the same answer.
     *
     * @throws Problem `too-large` if the copy, or all copies together, would be too large; `too-many`; `not-found` if the
     *   page is not a bookmark of the profile; `invalid` if the copy cannot be read
     */
    async add({ url, upload: name, part, parts, data }: CopyPart): Promise<{ stored: boolean }> {
      const upload = uploads.get(name) ?? (await begin(name))
      upload.timer.refresh()
      if (!upload.isStored && !upload.parts.has(part) && part < parts) {
        const bytes = Buffer.from(data, 'base64')
        upload.parts.set(part, bytes)
        upload.size += bytes.length
      }
      try {
        if (upload.size > MAX_COPY_BYTES) throw faultProblem('too-large')
        if (upload.isStored) return { stored: true }
        if (upload.parts.size < parts) return { stored: false }
        upload.storing ??= storeCopy(ports, url, upload)
        await upload.storing
        upload.isStored = true
        upload.parts.clear()
        return { stored: true }
      } catch (error) {
        forget(name)
        throw error
      }
    },
    close(): void {
      for (const name of uploads.keys()) forget(name)
    }
  }
}

async function storeCopy(ports: Ports, url: string, { parts, size }: Upload): Promise<void> {
  const { library, pageCopies, now } = ports
  const bookmark = await findSaved(ports, url)
  if (!bookmark || bookmark.organization !== null) {
    throw new Problem('not-found', 'Save the page first: only your own bookmarks have copies of their pages.')
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (let part = 0; part < parts.size; part++) {
    const next = parts.get(part) ?? Buffer.alloc(0)
    bytes.set(next, offset)
    offset += next.length
  }
  const copy = await pageCopies.convert(bytes)
  if ('fault' in copy) throw faultProblem(copy.fault)
  await assertRoom(ports, copy.length)
  const hash = await library.keepCopyFile(copy)
  await library.saveCopy(bookmark.id, { hash, size: copy.length, savedAt: now() })
}

function faultProblem(fault: CopyFault): Problem {
  if (fault === 'too-large')
    return new Problem('too-large', 'The copy of this page is larger than 20 MB. It was not saved.')
  return new Problem('invalid', 'The copy of this page cannot be read. It was not saved.')
}

/** @throws Problem `too-large` if all copies together would take more than the owner chose */
async function assertRoom({ library }: Ports, size: number): Promise<void> {
  const { copyLimit } = await library.readSettings()
  const { bytes } = await library.measureCopies()
  if (bytes + size <= copyLimit * GB) return
  const problem = `Copies of pages take ${copyLimit} GB, which is the limit. Raise it in Settings, or delete copies.`
  throw new Problem('too-large', problem)
}

/** @throws Problem `not-found` if there is no such bookmark or copy, or the file of the copy is missing */
export async function readPageCopy(ports: Ports, id: string): Promise<Uint8Array> {
  const copy = await ports.library.readCopyFile(id)
  if (copy) return copy
  const stored = await ports.library.findCopy((await findBookmark(ports, id)).id)
  throw new Problem('not-found', stored ? 'The file of this copy is missing.' : 'There is no copy of this page.')
}

/**
 * Deletes the copy of a page, and returns the undo step.
 *
 * @throws Problem `not-found` if there is no such bookmark or copy
 */
export async function deletePageCopy(ports: Ports, id: string): Promise<number> {
  const undo = await ports.library.deleteCopy((await findBookmark(ports, id)).id, ports.now())
  if (undo === undefined) throw new Problem('not-found', 'There is no copy of this page.')
  return undo
}
