import { common } from './common.ts'

/** Files of other programs that are imported again whenever they change. */
export const watched = {
  title: 'Watched files',
  text:
    'While Earmark runs, it imports new bookmarks whenever a browser changes these files. It never writes to them, and does ' +
    'not import what you deleted.',
  failed: 'The watched files could not be listed.',
  found: 'Found on this computer',
  watch: 'Watch',
  watchLabel: (file: string) => `Watch ${file}`,
  watching: (count: number) => `Watching. ${common.bookmarks(count)} imported.`,
  stop: 'Stop',
  stopLabel: (file: string) => `Stop watching ${file}`,
  notYet: 'Not checked yet',
  brought: (count: number) => `${common.bookmarks(count)} since Earmark started; last checked`,
  path: 'Another file, by its full path',
  pathHint: 'Chrome’s Bookmarks, Firefox’s places.sqlite, any export'
}
