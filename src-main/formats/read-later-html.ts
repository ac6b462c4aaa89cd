import type { ImportedRecord, ImportFormat, RecordReader } from '../contract/import-format.ts'
import type { State } from '../contract/tag-names.ts'
import { dateOf, unreadDate } from './dates.ts'
import { droppedIn, folderName } from './fields.ts'
import { BLOCKS, createHtmlReader } from './html-tags.ts'
import { writeLines } from './lines.ts'

/**
 * The HTML that Pocket (`ril_export.html`) and Instapaper export: a heading for each state or folder, and a list below
 * it: `<h1>Unread</h1><ul><li><a href time_added tags>title</a>`.
 */
export const readLaterHtml: ImportFormat<ImportedRecord> = {
  id: 'read-later',
  name: 'Pocket or Instapaper HTML',
  recognises: (head) =>
    /<title>\s*(pocket export|instapaper: export)/i.test(head) && !/<!doctype\s+netscape/i.test(head),
  reader
}

const STATES: Record<string, State> = {
  unread: 'unread',
  'read archive': 'archived',
  archive: 'archived',
  starred: 'favorite'
}

/** Text that is kept of a title or heading, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 16_384

function reader(): RecordReader<ImportedRecord> {
  let complete: ImportedRecord[] = []
  let open: ImportedRecord | undefined
  let text = ''
  let section = ''
  let line = 1

  function finish(): void {
    if (open) complete.push({ ...open, title: text.trim() === open.url ? '' : text.trim() })
    open = undefined
    text = ''
  }

  const html = createHtmlReader(
    {
      open(name, { href = '', time_added, tags = '' }) {
        if (name === 'a') {
          finish()
          const named = tags.split(',').filter((tag) => tag.trim() !== '')
          const state = STATES[section.toLowerCase()] ?? folderName(section)
          const all = state === '' ? named : [...named, state]
          open = {
            line,
            url: href,
            title: '',
            description: '',
            tags: all,
            createdAt: dateOf(time_added),
            dropped: droppedIn({ dates: unreadDate(time_added) })
          }
        } else if (name === 'h1') finish()
        else if (BLOCKS.has(name)) text += ' '
      },
      close(name) {
        if (name === 'a') finish()
        else if (name === 'h1') {
          section = text.trim()
          text = ''
        }
      },
      text(piece) {
        if (text.length < MAX_TEXT_LENGTH) text += piece.slice(0, MAX_TEXT_LENGTH)
      }
    },
    ['href', 'time_added', 'tags']
  )

  function take(): ImportedRecord[] {
    const taken = complete
    complete = []
    return taken
  }

  return {
    write(piece) {
      writeLines(
        piece,
        (part) => html.write(part),
        () => {
          line += 1
        }
      )
      return take()
    },
    end() {
      html.end()
      finish()
      return take()
    }
  }
}
