import { setImmediate } from 'node:timers/promises'
import type { Bookmark } from '../../contract/bookmark.ts'
import type {
  ExportChoice,
  ExportFormatId,
  ExportPart,
  ExportSelection,
  ExportWriter,
  WalkChoice
} from '../../contract/library-export.ts'
import type { Organization } from '../../contract/organization.ts'
import type { Library } from '../../store/open-library.ts'
import { sameLibrary } from '../long-work.ts'
import type { Ports } from '../ports.ts'

/**
 * The owner's bookmarks as a file, piece by piece, in the order they were saved, those in folders last. Without a choice
 * it is everything, the trash and organizations without bookmarks too where the format has room for them.
 *
 * @param selection of the choice: these alone, or all but these
 */
export async function* exportLibrary(
  ports: Ports,
  formatId: ExportFormatId,
  choice: ExportChoice,
  selection: ExportSelection = NO_ONE_LEFT_OUT
): AsyncGenerator<string> {
  const format = (await ports.formats()).exportFormats.find(({ id }) => id === formatId)
  if (!format) throw new Error(`There is no format ${formatId}.`)
  const all = Object.values(choice).every((chosen) => chosen === undefined) && selection === NO_ONE_LEFT_OUT
  const waiting = new Map((await ports.library.listOrganizations()).map((one) => [one.name, one]))
  const writer = format.writer(ports.now())
  const organization = (one: Organization | undefined) => {
    if (!one || !waiting.delete(one.name)) return ''
    return writer.organization(one)
  }

  const inSameLibrary = sameLibrary(ports.library, 'A backup was restored in the meantime. Export again.')
  const written = new Set<string>()
  const parents = new Set(writer.folderOf ? (await ports.library.listTagParents()).map(({ name }) => name) : [])
  const inFolders = new Map<string, string[]>()
  yield writer.begin()
  if (all) for (const one of [...waiting.values()]) yield organization(one)
  const trash = all && format.id === 'jsonl' ? 'with' : 'without'
  for await (const bookmarks of partsOf(ports, { ...choice, trash }, selection)) {
    inSameLibrary()
    let text = ''
    for (const bookmark of bookmarks) {
      const folder = writer.folderOf?.(bookmark, parents)
      if (folder !== undefined) {
        const ids = inFolders.get(folder)
        if (ids) ids.push(bookmark.id)
        else inFolders.set(folder, [bookmark.id])
        continue
      }
      text += organization(waiting.get(bookmark.organization ?? ''))
      if (bookmark.picture !== null && writer.picture && !written.has(bookmark.picture)) {
        written.add(bookmark.picture)
        const picture = await ports.library.readOriginal(bookmark.picture)
        if (text !== '') yield text
        for (const piece of picture ? writer.picture(picture) : []) {
          yield piece
          await setImmediate() // a piece is a megabyte: in between others get their turn
        }
        text = ''
      }
      text += writer.bookmark(bookmark)
    }
    yield text
  }
  for await (const text of foldersOf(ports.library, writer, inFolders, choice)) {
    inSameLibrary()
    yield text
  }
  yield writer.end()
}

/**
 * The bookmarks of each folder, a folder's own before those of the folders in it. A bookmark that went to the trash since it
 * was chosen, or has not the visibility any more that was asked for, is left out.
 */
async function* foldersOf(
  library: Library,
  writer: ExportWriter,
  inFolders: Map<string, string[]>,
  { visibility }: ExportChoice
): AsyncGenerator<string> {
  const byPath = ([one]: [string, string[]], [other]: [string, string[]]) => (pathOf(one) < pathOf(other) ? -1 : 1)
  const isStill = (one: Bookmark) => one.deletedAt === null && (visibility ?? one.visibility) === one.visibility
  for (const [folder, ids] of [...inFolders].sort(byPath)) {
    yield writer.enter?.(folder) ?? ''
    for await (const bookmarks of chosen(library, ids)) yield bookmarks.filter(isStill).map(writer.bookmark).join('')
  }
}

/** Sorts a folder directly before all within it. */
function pathOf(folder: string): string {
  return folder.replaceAll('/', '\0')
}

const NO_ONE_LEFT_OUT: ExportSelection = { except: [] }

/** Bookmarks chosen one by one that are read at once. */
const PART = 200

/** Yields the bookmarks to write, one part after the other. */
function partsOf({ library }: Ports, choice: WalkChoice, selection: ExportSelection): AsyncGenerator<Bookmark[]> {
  return 'ids' in selection ? chosen(library, selection.ids) : walked(library, choice, new Set(selection.except))
}

async function* chosen(library: Library, ids: string[]): AsyncGenerator<Bookmark[]> {
  for (let at = 0; at < ids.length; at += PART) yield await library.readBookmarks(ids.slice(at, at + PART))
}

async function* walked(library: Library, choice: WalkChoice, except: Set<string>): AsyncGenerator<Bookmark[]> {
  for (let after: number | null = 0; after !== null; ) {
    const part: ExportPart = await library.exportBookmarks({ ...choice, after })
    yield part.bookmarks.filter(({ id }) => !except.has(id))
    after = part.next
  }
}
