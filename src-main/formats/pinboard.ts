import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn, stateTags } from './fields.ts'
import { createHtmlReader } from './html-tags.ts'
import { JsonRecords, jsonReader, members, textOf } from './json-records.ts'
import { writeLines } from './lines.ts'

/**
 * Pinboard's export as JSON: `[{"href","description","extended","time","shared","toread","tags"}]`. `description` is the
 * title, for the sake of programs for Delicious (pinboard.in/api).
 */
export const pinboardJson: ImportFormat<ImportedRecord> = {
  id: 'pinboard',
  name: 'Pinboard',
  recognises: (head) =>
    /^\s*\[\s*\{/.test(head) && /"href"\s*:/.test(head) && /"(extended|shared|toread)"\s*:/.test(head),
  reader: () =>
    jsonReader(
      (found, line) =>
        new JsonRecords(['*'], line, (value, _, at) => {
          const fields = members(value)
          found(recordOf((name) => textOf(fields[name]), at))
        })
    )
}

const ATTRIBUTES = ['href', 'description', 'extended', 'time', 'shared', 'toread', 'tag']

/** Pinboard's export as XML, which is Delicious's: `<posts><post href description extended tag time/></posts>`. */
export const pinboardXml: ImportFormat<ImportedRecord> = {
  id: 'pinboard-xml',
  name: 'Pinboard XML',
  recognises: (head) => /<posts[\s>]/.test(head) && /<post\s[^>]{0,999}href=/.test(head),
  reader() {
    const complete: ImportedRecord[] = []
    let line = 1
    const html = createHtmlReader(
      {
        open: (name, attributes) => {
          if (name === 'post') complete.push(recordOf((one) => attributes[one === 'tags' ? 'tag' : one] ?? '', line))
        },
        close() {},
        text() {}
      },
      ATTRIBUTES
    )
    const take = () => complete.splice(0)
    return {
      write(text) {
        writeLines(
          text,
          (piece) => html.write(piece),
          () => {
            line += 1
          }
        )
        return take()
      },
      end() {
        html.end()
        return take()
      }
    }
  }
}

function recordOf(field: (name: string) => string, line: number): ImportedRecord {
  return {
    line,
    url: field('href'),
    title: field('description'),
    description: field('extended'),
    tags: [...field('tags').split(/\s+/).filter(Boolean), ...stateTags({ unread: field('toread') === 'yes' })],
    createdAt: dateOf(field('time')),
    isPrivate: field('shared') === 'no' || undefined,
    dropped: droppedIn({ dates: unreadDate(field('time')) })
  }
}
