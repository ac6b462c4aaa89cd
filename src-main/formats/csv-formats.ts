import { BOOKMARK_TYPES } from '../contract/bookmark.ts'
import type { GivenHighlight } from '../contract/import-format.ts'
import type { State } from '../contract/tag-names.ts'
import { csvFormat, isText, URL_COLUMNS, words } from './csv.ts'
import { CSV_COLUMNS, quotedTags, withoutGuard } from './exports.ts'
import { byAuthor, droppedIn, isSet, joined, stateTags } from './fields.ts'

/** Raindrop.io's export. A bookmark outside all folders is in the folder `Unsorted`. */
export const raindropCsv = csvFormat({
  id: 'raindrop',
  name: 'Raindrop',
  fits: (columns) => ['url', 'folder', 'created', 'excerpt'].every((column) => columns.includes(column)),
  record({ line, cell, date }) {
    const folder = folderTag(cell('folder'))
    return {
      line,
      url: cell('url'),
      title: cell('title'),
      description: joined([cell('note'), cell('excerpt')]),
      highlights: raindropHighlights(cell('highlights')),
      tags: [
        ...cell('tags').split(', ').filter(isText),
        ...stateTags({ favorite: isSet(cell('favorite')) }),
        ...(folder === 'Unsorted' ? [] : [folder].filter(isText))
      ],
      createdAt: date('created'),
      dropped: droppedIn({ 'cover pictures': cell('cover') })
    }
  }
})

/** Reads a cell of highlights. Each begins with `Highlight:` and may have a `Note:`, a `Color:` and other fields. */
function raindropHighlights(cell: string): GivenHighlight[] {
  const [first = '', ...others] = cell.split(/^Highlight:/m)
  // The meaning of a text before the first `Highlight:` is unknown, so the text is kept as a highlight.
  const all = first.trim() === '' ? others : [first, ...others]
  return all.map((text) => {
    const [quote = '', ...fields] = text.split(/^(Note|Color):/m)
    const fieldOf = (name: string) => (fields.includes(name) ? (fields[fields.indexOf(name) + 1] ?? '').trim() : '')
    return { quote: quote.trim(), note: fieldOf('Note'), color: fieldOf('Color') }
  })
}

/** A file of Pocket's export, which is a ZIP of such files. A page without a title has its address as the title. */
export const pocketCsv = csvFormat({
  id: 'pocket',
  name: 'Pocket',
  fits: (columns) => columns.includes('url') && columns.includes('timeadded'),
  record({ line, cell, date }) {
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
      createdAt: date('timeadded')
    }
  }
})

/** The folders of Instapaper that are states. */
const INSTAPAPER_STATES: Record<string, State> = { unread: 'unread', archive: 'archived', starred: 'favorite' }

/** Instapaper's export. `Selection` is text that the reader marked. */
export const instapaperCsv = csvFormat({
  id: 'instapaper',
  name: 'Instapaper',
  fits: (columns) => ['url', 'selection', 'folder', 'timestamp'].every((column) => columns.includes(column)),
  record({ line, cell, date }) {
    const folder = folderTag(cell('folder'))
    const state = INSTAPAPER_STATES[folder.toLowerCase()]
    return {
      line,
      url: cell('url'),
      title: cell('title'),
      description: '',
      highlights: isText(cell('selection')) ? [{ quote: cell('selection') }] : undefined,
      tags: [...splitTags(cell('tags')), state ?? folder].filter(isText),
      createdAt: date('timestamp')
    }
  }
})

const TITLE_COLUMNS = words('title name pagetitle')
const TAG_COLUMNS = words('tags tag labels keywords documenttags')
const FOLDER_COLUMNS = words('folder collection category folderpath list')
const DATE_COLUMNS = words(
  'created createdat date dateadded added addedat timeadded timestamp time saved savedat saveddate datesaved ' +
    'bookmarkedat creationdate'
)
const TEXT_COLUMNS = words('description note notes excerpt summary comment comments extended selection highlights')

/** The locations of Readwise Reader, and their states. Pages in `feed` are from subscriptions, without a state. */
const READER_STATES: Record<string, State | undefined> = {
  new: 'unread',
  later: 'unread',
  shortlist: 'unread',
  archive: 'archived',
  feed: undefined
}

/** Columns of an export of passwords, which is not imported. */
const SECRET_COLUMN = /passw|^t?otp|^login|secret|^username$/

/** Any other table with a column of addresses. Other columns are recognized by their usual English names. */
export const otherCsv = csvFormat({
  id: 'csv',
  name: 'CSV with a column “url”',
  fits(columns, rows) {
    const index = columns.findIndex((column) => URL_COLUMNS.includes(column))
    if (index < 0 || columns.some((column) => SECRET_COLUMN.test(column))) return false
    return rows.filter(({ cells }) => ADDRESS.test(cells[index] ?? '')).length * 2 >= rows.length
  },
  record({ line, cell, cells, date }) {
    const url = cell(...URL_COLUMNS)
    const location = cell('location').trim().toLowerCase()
    const isAnySet = (...columns: string[]) => cells(...columns).some(isSet)
    const privateFlags = [isAnySet('private'), cell('visibility') === 'private', /^(no|false|0)$/i.test(cell('shared'))]
    const quote = cell('highlight')
    const texts = [...TEXT_COLUMNS.flatMap((column) => cells(column)), url === '' ? cell('content') : '']
    // A table of highlights has one highlight in each row, and the note is about that highlight.
    const ofPage = isText(quote) ? texts.filter((text) => text !== cell('note')) : texts
    return {
      line,
      url,
      title: cell(...TITLE_COLUMNS),
      description: joined([...ofPage, ...cells('author', 'authors').map(byAuthor)]),
      highlights: isText(quote) ? [{ quote, note: cell('note'), color: cell('color') }] : undefined,
      tags: [
        ...cells(...TAG_COLUMNS).flatMap(splitTags),
        ...stateTags({
          favorite: isAnySet('favorite', 'starred'),
          archived: isAnySet('archived') || READER_STATES[location] === 'archived',
          unread: isAnySet('unread', 'toread') || READER_STATES[location] === 'unread'
        }),
        ...cells(...FOLDER_COLUMNS).map(folderTag)
      ].filter(isText),
      createdAt: date(...DATE_COLUMNS),
      isPrivate: privateFlags.includes(true) || undefined,
      dropped: droppedIn({
        'reading positions': cell('readingprogress'),
        'other columns': Object.hasOwn(READER_STATES, location) ? '' : location
      })
    }
  }
})

/** The table that Earmark exports. The names of organizations and the times of change are not imported. */
export const earmarkCsv = csvFormat({
  id: 'earmark-csv',
  name: 'Earmark’s CSV',
  fits: (columns) => CSV_COLUMNS.every((column) => columns.includes(column)),
  record({ line, cell, date }) {
    const text = (column: string) => withoutGuard(cell(column))
    const type = BOOKMARK_TYPES.find((name) => name === cell('type'))
    return {
      line,
      type: type ?? 'link',
      url: text('url'),
      title: text('title'),
      description: text('description'),
      content: text('content'),
      tags: quotedTags(text('tags')),
      createdAt: date('created'),
      isPrivate: cell('visibility') !== 'public' || undefined,
      dropped: droppedIn({ 'times of change': cell('updated') })
    }
  }
})

const ADDRESS = /^\s*(https?:\/\/|www\.|[\w-]+(\.[\w-]+)+(\/|\s*$))/i

/** Tags in one cell: a list as JSON or Python writes it, or separated by commas, semicolons or bars. */
function splitTags(cell: string): string[] {
  const list = /^\s*\[/.test(cell) ? (jsonList(cell) ?? pythonList(cell)) : undefined
  const separator = [',', ';', '|'].find((sign) => cell.includes(sign)) ?? ','
  return (list ?? cell.split(separator)).map((tag) => tag.trim()).filter(isText)
}

function jsonList(cell: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(cell)
    return Array.isArray(list) ? list.filter((tag) => typeof tag === 'string') : undefined
  } catch {
    return undefined // a tag may begin with a bracket
  }
}

/** Readwise Reader writes a list as Python shows it: `['one', "two's"]`. */
function pythonList(cell: string): string[] | undefined {
  if (!/^\s*\[\s*(?:(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*(?:,\s*|(?=\])))*\]\s*$/.test(cell)) return undefined
  return Array.from(cell.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g), ([, single, double]) =>
    (single ?? double ?? '').replace(/\\(.)/g, '$1')
  )
}

/** A path of folders as a tag. Raindrop writes `A / B`. */
function folderTag(cell: string): string {
  return cell
    .split('/')
    .map((name) => name.trim())
    .filter(isText)
    .join('/')
}
