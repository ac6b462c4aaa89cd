import { BOOKMARK_TYPES } from '../contract/bookmark.ts'
import type { State } from '../contract/tag-names.ts'
import { csvFormat, isText, URL_COLUMNS, words } from './csv-table.ts'
import { byAuthor, droppedIn, isSet, joined, stateTags } from './fields.ts'
import { CSV_COLUMNS, quotedTags, withoutGuard } from './write-csv.ts'

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
      description: joined([cell('note'), cell('excerpt'), cell('highlights')]),
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

/** A file of Pocket's export, which is a ZIP of them. A page without a title has its address as the title. */
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

/** Instapaper's export. `Selection` is text that its reader marked. */
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
      description: cell('selection'),
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
const TEXT_COLUMNS = words(
  'description note notes excerpt summary comment comments extended selection highlights highlight'
)

/** The places of Readwise Reader, and the states that they are. What is in `feed` came by itself. */
const READER_STATES: Record<string, State | undefined> = {
  new: 'unread',
  later: 'unread',
  shortlist: 'unread',
  archive: 'archived',
  feed: undefined
}

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
  record({ line, cell, cells, date }) {
    const url = cell(...URL_COLUMNS)
    const place = cell('location').trim().toLowerCase()
    const isAnySet = (...columns: string[]) => cells(...columns).some(isSet)
    const signsOfPrivate = [
      isAnySet('private'),
      cell('visibility') === 'private',
      /^(no|false|0)$/i.test(cell('shared'))
    ]
    const texts = [...TEXT_COLUMNS.flatMap((column) => cells(column)), url === '' ? cell('content') : '']
    return {
      line,
      url,
      title: cell(...TITLE_COLUMNS),
      description: joined([...texts, ...cells('author', 'authors').map(byAuthor)]),
      tags: [
        ...cells(...TAG_COLUMNS).flatMap(splitTags),
        ...stateTags({
          favorite: isAnySet('favorite', 'starred'),
          archived: isAnySet('archived') || READER_STATES[place] === 'archived',
          unread: isAnySet('unread', 'toread') || READER_STATES[place] === 'unread'
        }),
        ...cells(...FOLDER_COLUMNS).map(folderTag)
      ].filter(isText),
      createdAt: date(...DATE_COLUMNS),
      isPrivate: signsOfPrivate.includes(true) || undefined,
      dropped: droppedIn({
        'reading positions': cell('readingprogress'),
        'other columns': Object.hasOwn(READER_STATES, place) ? '' : place
      })
    }
  }
})

/** The table that Earmark exports. Only the names of organizations, and times of change, are not taken back. */
export const earmarkCsv = csvFormat({
  id: 'earmark-csv',
  name: 'Earmark’s CSV',
  fits: (columns) => CSV_COLUMNS.every((column) => columns.includes(column)),
  record({ line, cell, date }) {
    const own = (column: string) => withoutGuard(cell(column))
    const type = BOOKMARK_TYPES.find((known) => known === cell('type'))
    return {
      line,
      type: type ?? 'link',
      url: own('url'),
      title: own('title'),
      description: own('description'),
      content: own('content'),
      tags: quotedTags(own('tags')),
      createdAt: date('created'),
      isPrivate: cell('visibility') !== 'public' || undefined,
      dropped: droppedIn({ 'times of change': cell('updated') })
    }
  }
})

const ADDRESS = /^\s*(https?:\/\/|www\.|[\w-]+(\.[\w-]+)+(\/|\s*$))/i

/** Tags in one cell: a list as JSON or Python writes it, or with commas, semicolons or bars between. */
function splitTags(cell: string): string[] {
  const list = /^\s*\[/.test(cell) ? (jsonList(cell) ?? pythonList(cell)) : undefined
  const sign = [',', ';', '|'].find((one) => cell.includes(one)) ?? ','
  return (list ?? cell.split(sign)).map((tag) => tag.trim()).filter(isText)
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
  return Array.from(cell.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g), ([, one, other]) =>
    (one ?? other ?? '').replace(/\\(.)/g, '$1')
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
