import { type BookmarkDraft, LIMITS } from '../contract/bookmark.ts'
import type { Caller } from '../contract/caller.ts'
import type { ImportedRecord, ImportReport } from '../contract/import-report.ts'
import type { Ports } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { parseAddress } from '../core/address.ts'
import { cleanLines, cleanText } from '../core/clean-text.ts'
import { cleanTags } from './clean-tags.ts'
import { placementFor } from './placement.ts'

/** Bookmarks a transaction; between two of them other writes get their turn. */
const BATCH = 500

/** Rejected records that are listed, so that a file of nothing else cannot fill the memory. */
const MOST_REJECTS = 1000

/** How much of a file's beginning decides its format, in characters. */
const HEAD = 65_536

/**
 * Imports a bookmark file, piece by piece. Every record is counted as imported, duplicate or rejected; what the library
 * already holds stays as it is.
 *
 * @param pieces the file's text in order
 * @throws Problem `invalid` when the file is of no known format
 */
export async function importLibrary(
  ports: Ports,
  caller: Caller,
  pieces: AsyncIterable<string>
): Promise<ImportReport> {
  const placement = await placementFor(ports, caller)
  const report: ImportReport = { imported: 0, duplicate: 0, rejected: 0, rejects: [] }
  let batch: BookmarkDraft[] = []

  async function save(): Promise<void> {
    const saved = await ports.library.saveBookmarks(placement, batch)
    batch = []
    for (const { status } of saved) report[status === 'saved' ? 'imported' : 'duplicate'] += 1
  }

  for await (const record of readRecords(ports, pieces)) {
    const address = parseAddress(record.url)
    if ('fault' in address) {
      report.rejected += 1
      if (report.rejects.length < MOST_REJECTS) report.rejects.push({ line: record.line, reason: address.fault })
      else report.unlisted = (report.unlisted ?? 0) + 1
      continue
    }
    batch.push({ ...draftOf(record, placement.savedAt), ...address })
    if (batch.length === BATCH) await save()
  }
  if (batch.length > 0) await save()
  return report
}

async function* readRecords(ports: Ports, pieces: AsyncIterable<string>): AsyncGenerator<ImportedRecord> {
  let head = ''
  let reader: ReturnType<Ports['formats'][number]['reader']> | undefined
  const begin = () => {
    const format = ports.formats.find((one) => one.recognises(head))
    if (!format) throw new Problem('invalid', UNKNOWN_FORMAT)
    reader = format.reader()
    return reader.write(head)
  }
  for await (const piece of pieces) {
    if (reader) {
      yield* reader.write(piece)
      continue
    }
    head += piece
    if (head.length >= HEAD) yield* begin()
  }
  if (!reader) yield* begin()
  if (reader) yield* reader.end()
}

const UNKNOWN_FORMAT =
  'This is not a bookmark file Earmark can read. Export your bookmarks from the browser as HTML and import that file.'

/** A record's texts, made safe and short enough to store. */
function draftOf(record: ImportedRecord, now: number): Omit<BookmarkDraft, 'url' | 'domain' | 'pageKey'> {
  return {
    type: 'link',
    title: cleanText(record.title, LIMITS.title),
    description: cleanLines(record.description, LIMITS.description),
    content: '',
    tags: cleanTags(record.tags),
    createdAt: record.createdAt ?? now
  }
}
