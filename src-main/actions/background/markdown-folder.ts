import type { Changes } from '../../contract/change.ts'
import type { MarkdownFolder } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { readPages } from '../imports/export-library.ts'
import type { Ports } from '../ports.ts'
import { type Background, backgroundWorker } from './background-worker.ts'

/** Minimum pause between two updates, in ms, and its minimum as a multiple of the last update's duration. */
const PAUSE_MS = 5000
const PAUSE_TIMES = 20

/** Number of written files after which the list of files is saved. The list is too long to save it after each file. */
const SAVED_EVERY = 5000

const KINDS = ['bookmarks', 'tags', 'organizations', 'details', 'settings']

export type FolderKeeping = ReturnType<typeof createFolderKeeping>

/** Keeps a folder up to date that has a Markdown file for each bookmark outside the trash. The owner chooses it. */
export function createFolderKeeping(ports: Ports, changes: Changes, onBug: (error: unknown) => void, pause = PAUSE_MS) {
  let files = 0
  let fault: string | null = null
  let timer: NodeJS.Timeout | undefined

  const chosen = async () => (await ports.library.readSettings()).markdownFolder

  async function runDueWork(): Promise<void> {
    const path = await chosen()
    if (path === null) return
    const start = performance.now()
    try {
      const folder = await ports.markdownFolder(path)
      await update(ports, folder, worker.isClosed)
      files = folder.stamps().size
      fault = null
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      fault = error.message
    }
    // Changes during the pause are written together after it.
    await new Promise<void>((resolve) => {
      endPause = resolve
      timer = setTimeout(resolve, Math.max(pause, PAUSE_TIMES * (performance.now() - start))).unref()
    })
  }
  let endPause = () => {}

  const worker = backgroundWorker({ runDueWork, wakesOn: ({ kind }) => KINDS.includes(kind) }, changes, onBug)

  return {
    start: worker.start,
    async close(): Promise<void> {
      const closed = worker.close()
      clearTimeout(timer)
      endPause()
      await closed
    },
    /**
     * Uses another folder from now on; `null` for none. Files that were written before stay.
     *
     * @throws Problem `invalid` if the folder cannot be used; the setting is then unchanged
     */
    async choose(path: string | null): Promise<void> {
      if (path !== null) await ports.markdownFolder(path)
      await ports.library.writeSettings({ markdownFolder: path })
      worker.wake()
      endPause()
    },
    async state() {
      return { folder: await chosen(), files, fault }
    }
  } satisfies Background & Record<string, unknown>
}

/** Writes files of bookmarks that changed after their files were written, and removes files of missing bookmarks. */
async function update(ports: Ports, folder: MarkdownFolder, isClosed: () => boolean): Promise<void> {
  const stamps = new Map(await ports.library.bookmarkStamps())
  const written = folder.stamps()
  const gone = [...written.keys()].filter((id) => !stamps.has(id))
  for (const id of gone) await folder.remove(id)
  const changed = [...stamps.keys()].filter((id) => stamps.get(id) !== written.get(id))
  if (gone.length + changed.length === 0) return
  const { markdownFile } = await ports.formats()
  let count = 0
  for await (const readable of readPages(ports.library, changed, {})) {
    if (isClosed()) break
    const { id } = readable.bookmark
    await folder.write(id, stamps.get(id) ?? '', markdownFile(readable))
    count += 1
    if (count % SAVED_EVERY === 0) await folder.save()
  }
  await folder.save()
}
