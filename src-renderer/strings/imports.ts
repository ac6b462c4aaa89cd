import { common } from './common.ts'
import { counted, list, number, percent } from './format.ts'

const { bookmarks } = common

type Counts = [what: string, count: number][]

function listed(counts: Counts): string {
  return list.format(counts.map(([what, count]) => `${what} (${number(count)})`))
}

/** Importing a file of bookmarks. */
export const imports = {
  title: 'Import bookmarks',
  drop: 'Drop a bookmark file here',
  choose: 'Choose a file',
  formats:
    'Exports of any browser (HTML), Chrome’s Bookmarks file, Firefox’s backups, Pocket, Instapaper, Pinboard, Raindrop, ' +
    'Karakeep, Linkwarden, wallabag, Omnivore, OneTab, Earmark, a CSV file with a column “url”, or a list of addresses. ' +
    'You see a preview first.',
  unreadable: (name: string) => `${name} cannot be read. Choose a file.`,
  reading: (name: string) => `Reading ${name}`,
  importing: (name: string) => `Importing ${name}`,
  progress: 'Progress',
  sofar: (share: number, count: number, preview: boolean) =>
    `${percent(share / 100)}, ${number(count)} ${preview ? 'new' : 'imported'} so far`,
  previewed: {
    imported: 'New',
    duplicate: 'Already there',
    repeated: 'Repeated in the file',
    rejected: 'Cannot be imported'
  },
  imported: {
    imported: 'Imported',
    duplicate: 'Already there',
    repeated: 'Repeated in the file',
    rejected: 'Not imported'
  },
  nothingNew: 'There is nothing new in this file.',
  run: (count: number) => `Import ${bookmarks(count)}`,
  another: 'Another file',
  done: (count: number) => `${bookmarks(count)} imported.`,
  endedEarly: (message: string) => `Not all of the file was imported. ${message}`,
  cancelled: (count: number) =>
    count === 0
      ? 'Stopped before anything was imported.'
      : `Stopped after ${bookmarks(count)}. What was imported stays, unless you undo the import.`,
  undo: 'Undo the import',
  undoing: 'Undoing the import …',
  undoneInPart: (count: number) =>
    `Stopped: ${common.bookmarks(count)} moved to the trash, the rest is still there. Undo again to continue.`,
  undone: (count: number, kept: number) =>
    `${bookmarks(count)} moved to the trash${kept > 0 ? `; ${number(kept)} changed since and stay` : ''}.`,
  rejects: (count: number) => `${counted(count, { one: 'entry', other: 'entries' })} cannot be imported`,
  /** @param name the title or address of a record that has no line */
  reject: (line: number | undefined, name: string | undefined, reason: string, file?: string) => {
    const record = line === undefined ? name && `“${name}”` : `line ${number(line)}`
    return `${[file, record].filter(Boolean).join(', ') || 'untitled'}: ${reason}`
  },
  more: (count: number) => `and ${number(count)} more`,
  dropped: (counts: Counts) => (counts.length === 0 ? '' : `Details that are not kept: ${listed(counts)}.`),
  skipped: (counts: Counts) => (counts.length === 0 ? '' : `Left out: ${listed(counts)}.`),
  encodings: (names: string[]) =>
    names.length === 0 ? '' : `The text of the file was read as ${list.format(names)}. Check that letters look right.`,
  merged: (count: number) =>
    `${counted(count, { one: 'entry', other: 'entries' })} for pages that are in this file twice. Title and description were added to the bookmark’s description.`,
  saveRejects: 'Save this list',
  rejectsName: 'import',
  rejectsFile: (name: string) => `${name}-rejected.txt`
}
