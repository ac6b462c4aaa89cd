import type { SavedBookmark } from '../contract/bookmark.ts'
import type { Change, Changes } from '../contract/change.ts'
import type { Library } from '../contract/library/library.ts'

/** The library with every committed write told to whoever listens, so that no action has to think of it. */
export function watchLibrary(library: Library): { library: Library; changes: Changes } {
  const listeners = new Set<(change: Change) => void>()
  const endings = new Set<(hash: Uint8Array) => void>()

  function watched<Name extends keyof Library>(name: Name): Library[Name] {
    const call = library[name] as (...args: unknown[]) => Promise<unknown>
    const changesOf = TELLS[name] as ((value: unknown, ...args: unknown[]) => Change[]) | undefined
    if (changesOf === undefined) return call as Library[Name]
    return (async (...args: unknown[]) => {
      const value = await call(...args)
      if (listeners.size === 0) return value
      for (const change of changesOf(value, ...args)) for (const listener of listeners) listener(change)
      return value
    }) as Library[Name]
  }

  const names = Object.keys(TELLS) as (keyof Library)[]
  return {
    library: {
      ...(Object.fromEntries(names.map((name) => [name, watched(name)])) as unknown as Library),
      async endSession(hash) {
        await library.endSession(hash)
        for (const listener of endings) listener(hash)
      }
    },
    changes: {
      onChange: (listener) => joined(listeners, listener),
      onSessionEnd: (listener) => joined(endings, listener)
    }
  }
}

function joined<T>(all: Set<T>, one: T): () => void {
  all.add(one)
  return () => all.delete(one)
}

type Tell<Name extends keyof Library> = (
  value: Awaited<ReturnType<Library[Name]>>,
  ...args: Parameters<Library[Name]>
) => Change[]

const EVERYTHING: Change['kind'][] = ['bookmarks', 'tags', 'organizations', 'keys', 'calls', 'settings', 'links']

/** What each call changes; `undefined` for those that only read. */
const TELLS: { [Name in keyof Library]: Tell<Name> | undefined } = {
  searchBookmarks: undefined,
  countBookmarks: undefined,
  countUnindexed: undefined,
  isIndexing: undefined,
  saveBookmarks: (saved) => newBookmarks(saved),
  saveForCall: ({ saved }, _placement, _drafts, { client }) => [...newBookmarks(saved, client), { kind: 'calls' }],

  beginImport: undefined,
  importBookmarks: (all) => newBookmarks(all.map((status) => ({ status }))),
  // What is indexed is due to be read from then on.
  indexSome: (indexed) => (indexed > 0 ? [{ kind: 'details' }] : []),
  previewImport: undefined,
  areInTrash: undefined,
  wereGiven: undefined,
  rememberPages: undefined,
  listImports: undefined,
  undoImportSome: (report) => (report && report.undone > 0 ? [{ kind: 'bookmarks' }] : []),
  forgetImports: undefined,
  exportBookmarks: undefined,

  listBookmarks: undefined,
  countByKind: undefined,
  findBookmark: undefined,
  editBookmark: (edited) => (edited && edited.undo !== null ? [{ kind: 'bookmarks' }] : []),
  changeBookmarks: ({ changed }) => (changed > 0 ? [{ kind: 'bookmarks' }] : []),
  purgeTrash: (purged) => (purged > 0 ? [{ kind: 'bookmarks' }] : []),
  undoStep: (report) => (report ? [{ kind: 'bookmarks' }, { kind: 'tags' }] : []),
  forgetSteps: undefined,

  duePage: undefined,
  saveDetails: (kept) => (kept ? [{ kind: 'details' }] : []),
  saveFailure: (kept) => (kept ? [{ kind: 'details' }] : []),
  askForPage: (asked) => (asked ? [{ kind: 'details' }] : []),
  findPage: undefined,
  countPagesToRead: undefined,
  readPageTexts: undefined,
  keepPicture: undefined,
  readPicture: undefined,
  savePicture: (saved) => newBookmarks([saved]),
  keepOriginal: undefined,
  hasOriginal: undefined,
  readOriginal: undefined,
  forgetOriginals: undefined,
  findPicture: undefined,
  uncoloredPicture: undefined,
  saveColors: () => [{ kind: 'details' }],
  prunePictures: undefined,

  dueLink: undefined,
  saveLink: (kept) => (kept ? [{ kind: 'links' }, ...(kept.changed ? ([{ kind: 'details' }] as const) : [])] : []),
  findLink: undefined,
  linkThatAnswered: undefined,
  beginLinkRound: ({ asked }) => (asked ? [{ kind: 'links' }] : []),
  takeInLinks: () => [{ kind: 'links' }],
  takeInOldLinks: undefined,
  endLinkRound: (ended) => (ended && (ended.asked || ended.total > 0) ? [{ kind: 'links' }] : []),
  sweepLinks: undefined,
  markedLinks: undefined,
  linkRound: undefined,
  lastRoundByItself: undefined,

  findDuplicates: undefined,
  mergeDuplicates: ({ trashed }) => (trashed > 0 ? [{ kind: 'bookmarks' }] : []),
  similarColors: undefined,
  similarImages: undefined,

  listTags: undefined,
  renameTag: () => [{ kind: 'tags' }, { kind: 'bookmarks' }],
  mergeTags: () => [{ kind: 'tags' }, { kind: 'bookmarks' }],
  deleteTagSome: ({ after }) => (after === null ? [{ kind: 'tags' }, { kind: 'bookmarks' }] : []),

  listCalls: undefined,
  undoCall: (report) => (report ? [{ kind: 'bookmarks' }, { kind: 'calls' }] : []),

  createOrganization: () => [{ kind: 'organizations' }],
  listOrganizations: undefined,
  renameOrganization: () => [{ kind: 'organizations' }, { kind: 'bookmarks' }],
  previewDeletion: undefined,
  revokeKeysOf: (ids) => (ids.length > 0 ? [{ kind: 'keys' }] : []),
  dissolveSome: () => [{ kind: 'organizations' }, { kind: 'bookmarks' }],

  createKey: () => [{ kind: 'keys' }],
  setKeychainOutcome: () => [{ kind: 'keys' }],
  listKeys: undefined,
  revokeKey: () => [{ kind: 'keys' }],
  replaceKey: () => [{ kind: 'keys' }],
  findKey: undefined,

  createSession: undefined,
  findSession: undefined,
  endSession: undefined,
  recordUse: (_, use) => (use.some(({ kind }) => kind !== 'session') ? [{ kind: 'calls' }] : []),

  readClock: undefined,
  noteClock: undefined,
  newestTime: undefined,
  readSettings: undefined,
  writeSettings: () => [{ kind: 'settings' }],

  backUp: undefined,
  listBackups: undefined,
  removeBackup: undefined,
  generation: undefined,
  restoreBackup: () => EVERYTHING.map((kind) => ({ kind })),

  measure: undefined,
  isDamaged: undefined,
  lostLog: undefined,
  close: undefined
}

function newBookmarks(all: Pick<SavedBookmark, 'status'>[], client?: string | null): Change[] {
  const saved = all.filter(({ status }) => status === 'saved').length
  return saved === 0 ? [] : [{ kind: 'bookmarks', saved, ...(client && { by: client }) }]
}
