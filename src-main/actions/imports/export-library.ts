import { setImmediate } from 'node:timers/promises'
import type { ExportChoice, ExportFormatId } from '../../contract/library-export.ts'
import type { Organization } from '../../contract/organization.ts'
import type { Ports } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'

/**
 * The owner's bookmarks as a file, piece by piece, in the order they were saved. Without a choice it is everything, the
 * trash and organizations without bookmarks too where the format has room for them.
 */
export async function* exportLibrary(
  ports: Ports,
  formatId: ExportFormatId,
  choice: ExportChoice
): AsyncGenerator<string> {
  const format = ports.exportFormats.find(({ id }) => id === formatId)
  if (!format) throw new Error(`There is no format ${formatId}.`)
  const all = Object.values(choice).every((chosen) => chosen === undefined)
  const waiting = new Map((await ports.library.listOrganizations()).map((one) => [one.name, one]))
  const writer = format.writer(ports.now())
  const organization = (one: Organization | undefined) => {
    if (!one || !waiting.delete(one.name)) return ''
    return writer.organization(one)
  }

  const written = new Set<string>()
  let library: number | undefined
  yield writer.begin()
  if (all) for (const one of [...waiting.values()]) yield organization(one)
  for (let after: number | null = 0; after !== null; ) {
    const part = await ports.library.exportBookmarks({ ...choice, after, trash: all && format.id === 'jsonl' })
    library ??= part.library
    if (part.library !== library) throw new Problem('taken', 'A backup was restored meanwhile. Export again.')
    let text = ''
    for (const bookmark of part.bookmarks) {
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
    after = part.next
  }
  yield writer.end()
}
