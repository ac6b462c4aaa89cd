import { setImmediate } from 'node:timers/promises'
import type { Bookmark } from '../../contract/bookmark.ts'
import type {
  BookmarkReadingData,
  ExportChoice,
  ExportFormatId,
  ExportSelection,
  ExportWriter,
  ReadableBookmark,
  WalkChoice
} from '../../contract/library-export.ts'
import type { Organization } from '../../contract/organization.ts'
import type { Library } from '../../store/open-library.ts'
import type { Ports } from '../ports.ts'

/**
 * Writes the owner's bookmarks as a file, piece by piece, in the order they were saved; those in folders are last.
 * Without a choice it writes everything, also the trash and organizations without bookmarks if the format supports them.
 *
 * @param selection which bookmarks of the choice: only these, or all but these
 */
export async function* exportLibrary(
  ports: Ports,
  formatId: ExportFormatId,
  choice: ExportChoice,
  selection: ExportSelection = WHOLE_CHOICE
): AsyncGenerator<string | Uint8Array> {
  const format = (await ports.formats()).exportFormats.find(({ id }) => id === formatId)
  if (!format) throw new Error(`There is no format ${formatId}.`)
  if ('write' in format) {
    const ids = await chosenIds(ports.library, { ...choice, trash: 'without' }, selection)
    yield* format.write(readPages(ports.library, ids, choice), ids.length, ports.now())
    return
  }
  const all = Object.values(choice).every((chosen) => chosen === undefined) && selection === WHOLE_CHOICE
  const unwritten = new Map((await ports.library.listOrganizations()).map((row) => [row.name, row]))
  const writer = format.writer(ports.now())
  /** Writes an organization before its first bookmark. */
  const organization = (row: Organization | undefined) => {
    if (!row || !unwritten.delete(row.name)) return ''
    return writer.organization(row)
  }

  const pictures = new Set<string>()
  const parents = new Set(writer.folderOf ? (await ports.library.listTagParents()).map(({ name }) => name) : [])
  const inFolders = new Map<string, string[]>()
  yield writer.begin()
  if (all) for (const row of [...unwritten.values()]) yield organization(row)
  const trash = all && format.id === 'jsonl' ? 'with' : 'without'
  const ids = await chosenIds(ports.library, { ...choice, trash }, selection)
  for await (const bookmarks of readInBatches(ports.library, ids)) {
    let text = ''
    const readingOf = await readingData(ports.library, bookmarks)
    for (const bookmark of bookmarks) {
      const folder = writer.folderOf?.(bookmark, parents)
      if (folder !== undefined) {
        const ids = inFolders.get(folder)
        if (ids) ids.push(bookmark.id)
        else inFolders.set(folder, [bookmark.id])
        continue
      }
      text += organization(unwritten.get(bookmark.organization ?? ''))
      if (bookmark.picture !== null && writer.picture && !pictures.has(bookmark.picture)) {
        pictures.add(bookmark.picture)
        const picture = await ports.library.readOriginal(bookmark.picture)
        if (text !== '') yield text
        for (const piece of picture ? writer.picture(picture) : []) {
          yield piece
          await setImmediate() // other work continues, because a piece has about 1 MB
        }
        text = ''
      }
      text += writer.bookmark(bookmark, readingOf(bookmark))
    }
    yield text
  }
  for await (const text of foldersOf(ports.library, writer, inFolders, choice)) {
    yield text
  }
  yield writer.end()
}

/**
 * Writes the bookmarks of each folder, a folder's own before those of its subfolders. Leaves out bookmarks that were
 * moved to the trash, or whose visibility changed, after they were chosen.
 */
async function* foldersOf(
  library: Library,
  writer: ExportWriter,
  inFolders: Map<string, string[]>,
  choice: ExportChoice
): AsyncGenerator<string> {
  const byPath = ([left]: [string, string[]], [right]: [string, string[]]) => (sortKey(left) < sortKey(right) ? -1 : 1)
  for (const [folder, ids] of [...inFolders].sort(byPath)) {
    yield writer.enter?.(folder) ?? ''
    for await (const bookmarks of readInBatches(library, ids)) {
      const readingOf = await readingData(library, bookmarks)
      yield bookmarks
        .filter((bookmark) => isUnchanged(bookmark, choice))
        .map((bookmark) => writer.bookmark(bookmark, readingOf(bookmark)))
        .join('')
    }
  }
}

/** Returns the highlights and reading places of bookmarks. */
async function readingData(
  library: Library,
  bookmarks: Bookmark[]
): Promise<(bookmark: Bookmark) => BookmarkReadingData> {
  const { highlights, places } = await library.readReading(bookmarks.map(({ id }) => id))
  return ({ id }) => ({ highlights: highlights.get(id) ?? [], place: places.get(id) ?? null })
}

/** Whether a bookmark is still not in the trash, and has the visibility with which it was chosen. */
function isUnchanged({ deletedAt, visibility }: Bookmark, choice: ExportChoice): boolean {
  return deletedAt === null && (choice.visibility ?? visibility) === visibility
}

/** Reads bookmarks with the texts of their pages, except those that were changed after they were chosen. */
export async function* readPages(
  library: Library,
  ids: string[],
  choice: ExportChoice
): AsyncGenerator<ReadableBookmark> {
  for await (const bookmarks of readInBatches(library, ids)) {
    const readingOf = await readingData(library, bookmarks)
    for (const bookmark of bookmarks) {
      if (!isUnchanged(bookmark, choice)) continue
      const { id, content } = bookmark
      yield {
        bookmark,
        highlights: readingOf(bookmark).highlights,
        page: content ? { text: content, markdown: null } : await library.readPageText(id),
        language: async () => (await library.findStoredPage(id))?.language ?? null,
        picture: (url) => library.readTextPicture(id, url)
      }
    }
  }
}

/** Sorts a folder directly before its subfolders. */
function sortKey(folder: string): string {
  return folder.replaceAll('/', '\0')
}

const WHOLE_CHOICE: ExportSelection = { except: [] }

/** Number of bookmarks that are read at once. */
const BATCH_SIZE = 200

async function chosenIds(library: Library, choice: WalkChoice, selection: ExportSelection): Promise<string[]> {
  if ('ids' in selection) return selection.ids
  const except = new Set(selection.except)
  return (await library.matchingIds(choice)).filter((id) => !except.has(id))
}

async function* readInBatches(library: Library, ids: string[]): AsyncGenerator<Bookmark[]> {
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    yield await library.readBookmarks(ids.slice(start, start + BATCH_SIZE))
  }
}
