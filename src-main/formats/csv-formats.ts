import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import type { State } from '../contract/state-tags.ts'
import { type CsvRow, CsvRows } from './csv-rows.ts'
import { dateOf } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { byAuthor, joined } from './joined.ts'
import { isSet, stateTags } from './states.ts'

/** Reads the cells of a row by the names of their columns, which are letters in lower case. */
interface Row {
  line: number
  /** Returns the first of these columns that is not empty. */
  cell(...columns: string[]): string
  /** Returns the cells that are not empty of all columns but these. */
  others(...columns: string[]): string[]
}

interface CsvFormat {
  id: string
  name: string
  /** Whether a file with these columns and first rows is of this format. */
  fits(columns: string[], rows: CsvRow[]): boolean
  record(row: Row): ImportedRecord
}

/** Raindrop.io's export. A bookmark outside all folders is in the folder `Unsorted`. */
export const raindropCsv = csvFormat({
  id: 'raindrop',
  name: 'Raindrop',
  fits: (columns) => ['url', 'folder', 'created', 'excerpt'].every((column) => columns.includes(column)),
  record({ line, cell }) {
    const folder = cell('folder').trim()
    return {
      line,
      url: cell('url'),
      title: cell('title'),
      description: joined([cell('note'), cell('excerpt'), cell('highlights')]),
      tags: [
        ...cell('tags').split(', ').filter(isText),
        ...stateTags({ favorite: isSet(cell('favorite')) }),
        ...(folder === 'Unsorted' ? [] : [folder].filter(isText))
      ],
      createdAt: dateOf(cell('created')),
      dropped: droppedIn({ 'cover pictures': cell('cover') })
    }
  }
})

/** A file of Pocket's export, which is a ZIP of them. A page without a title has its address as the title. */
export const pocketCsv = csvFormat({
  id: 'pocket',
  name: 'Pocket',
  fits: (columns) => columns.includes('url') && columns.includes('timeadded'),
  record({ line, cell }) {
    const title = cell('title')
    const status = cell('status').trim().toLowerCase()
    return {
      line,
      url: cell('url'),
      title: title === cell('url') ? '' : title,
      description: '',
      tags: [
        ...cell('tags').split('|').filter(isText),
        ...stateTags({ unread: status === 'unread', archived: status === 'archive' })
      ],
      createdAt: dateOf(cell('timeadded'))
    }
  }
})

/** The folders of Instapaper that are states. */
const INSTAPAPER_STATES: Record<string, State> = { unread: 'unread', archive: 'archived', starred: 'favorite' }

/** Instapaper's export. `Selection` is text that its reader marked. */
export const instapaperCsv = csvFormat({
  id: 'instapaper',
  name: 'Instapaper',
  fits: (columns) => ['url', 'selection', 'folder', 'timestamp'].every((column) => columns.includes(column)),
  record({ line, cell }) {
    const folder = cell('folder').trim()
    const state = INSTAPAPER_STATES[folder.toLowerCase()]
    return {
      line,
      url: cell('url'),
      title: cell('title'),
      description: cell('selection'),
      tags: [...splitTags(cell('tags')), state ?? folder].filter(isText),
      createdAt: dateOf(cell('timestamp'))
    }
  }
})

const URL_COLUMNS = words('url link address href uri website webaddress originalurl pageurl')
const TITLE_COLUMNS = words('title name pagetitle')
const TAG_COLUMNS = words('tags tag labels keywords documenttags')
const FOLDER_COLUMNS = words('folder collection category folderpath list')
const DATE_COLUMNS = words(
  'created createdat date dateadded added addedat timeadded timestamp time saved savedat saveddate datesaved ' +
    'bookmarkedat creationdate'
)
const TEXT_COLUMNS = words(
  'description note notes excerpt summary comment comments extended selection highlights highlight'
)
const OTHER_COLUMNS = words(
  'author authors favorite starred archived unread toread private visibility shared id type domain'
)

/** Columns of an export of passwords, which is no list of bookmarks. */
const SECRET_COLUMN = /passw|^t?otp|^login|secret|^username$/

/** Any other table with a column of addresses. The other columns are recognized by their usual English names. */
export const otherCsv = csvFormat({
  id: 'csv',
  name: 'CSV with a column “url”',
  fits(columns, rows) {
    const index = columns.findIndex((column) => URL_COLUMNS.includes(column))
    if (index < 0 || columns.some((column) => SECRET_COLUMN.test(column))) return false
    return rows.filter(({ cells }) => ADDRESS.test(cells[index] ?? '')).length * 2 >= rows.length
  },
  record({ line, cell, others }) {
    const tags = [
      ...splitTags(cell(...TAG_COLUMNS)),
      ...stateTags({
        favorite: isSet(cell('favorite', 'starred')),
        archived: isSet(cell('archived')),
        unread: isSet(cell('unread', 'toread'))
      }),
      cell(...FOLDER_COLUMNS)
    ]
    const isPrivate =
      isSet(cell('private')) || cell('visibility') === 'private' || /^(no|false|0)$/i.test(cell('shared'))
    const known = [URL_COLUMNS, TITLE_COLUMNS, TAG_COLUMNS, FOLDER_COLUMNS, DATE_COLUMNS, TEXT_COLUMNS, OTHER_COLUMNS]
    const url = cell(...URL_COLUMNS)
    const texts = [...TEXT_COLUMNS.map((column) => cell(column)), url === '' ? cell('content') : '']
    return {
      line,
      url,
      title: cell(...TITLE_COLUMNS),
      description: joined([...texts, byAuthor(cell('author', 'authors'))]),
      tags: tags.filter(isText),
      createdAt: dateOf(cell(...DATE_COLUMNS)),
      isPrivate: isPrivate || undefined,
      dropped: droppedIn({ 'other columns': others(...known.flat(), 'content') })
    }
  }
})

const ADDRESS = /^\s*(https?:\/\/|www\.|[\w-]+(\.[\w-]+)+(\/|\s*$))/i

function words(text: string): string[] {
  return text.split(' ')
}

function isText(text: string): boolean {
  return text.trim() !== ''
}

/** Tags in one cell: a JSON list, or with commas, semicolons or bars between. */
function splitTags(cell: string): string[] {
  if (/^\s*\[/.test(cell)) {
    try {
      const list: unknown = JSON.parse(cell)
      if (Array.isArray(list)) return list.filter((tag) => typeof tag === 'string')
    } catch {
      // A tag may begin with a bracket.
    }
  }
  const sign = [',', ';', '|'].find((one) => cell.includes(one)) ?? ','
  return cell
    .split(sign)
    .map((tag) => tag.trim())
    .filter(isText)
}

/** A name without case, spaces and signs: `Saved date`, `saved_date` and `savedDate` are one column. */
function columnNames(row: CsvRow | undefined): string[] {
  return row?.cells.map((cell) => cell.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')) ?? []
}

/** The sign between cells: that of those a spreadsheet may write that the first line has most of. */
function delimiterIn(head: string): string {
  const [line = ''] = head.trimStart().split(/[\r\n]/, 1)
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).sign
}

/** The line of column names is waited for so long, in UTF-16 code units. */
const MAX_HEADER_LENGTH = 65_536

/** First rows that decide whether a table is of a format. */
const SAMPLE = 50

/** A format that is a CSV file with a row of column names. Columns may be in any order, and all but a few may lack. */
function csvFormat({ id, name, fits, record }: CsvFormat): ImportFormat<ImportedRecord> {
  return {
    id,
    name,
    recognises(head) {
      const rows = new CsvRows(delimiterIn(head))
      const all = [...rows.write(head), ...rows.end()]
      const sample = all.slice(1, Math.max(2, all.length - 1)).slice(0, SAMPLE) // the last may be cut off
      return fits(columnNames(all[0]), sample)
    },
    reader() {
      let rows: CsvRows | undefined
      /** The first line so far, which tells the sign between cells. */
      let begun = ''
      let columns: string[] | undefined
      const take = (found: CsvRow[]) => {
        if (!columns && found.length > 0) columns = columnNames(found.shift())
        return found.map((row) => recordOf(row, columns ?? []))
      }
      return {
        write(text) {
          if (rows) return take(rows.write(text))
          begun += text
          if (!/\S.*[\r\n]/.test(begun) && begun.length < MAX_HEADER_LENGTH) return []
          rows = new CsvRows(delimiterIn(begun))
          return take(rows.write(begun))
        },
        end() {
          if (rows) return take(rows.end())
          const only = new CsvRows(delimiterIn(begun))
          return take([...only.write(begun), ...only.end()])
        }
      }
    }
  }

  function recordOf({ cells, line, unclosed }: CsvRow, columns: string[]): ImportedRecord {
    const made = record({
      line,
      cell: (...names) => cells[columns.findIndex((one, at) => names.includes(one) && cells[at]?.trim())] ?? '',
      others: (...names) => cells.filter((cell, at) => cell.trim() !== '' && !names.includes(columns[at] ?? ''))
    })
    return unclosed ? { ...made, fault: 'a quote that is never closed: the file is damaged or cut off here' } : made
  }
}
