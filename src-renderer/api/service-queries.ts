/** Queries of other programs, API keys, imports, backups, other machines and long work. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import type { DashboardBridge } from '../../src-main/contract/desktop.ts'
import { api, ask } from './client.ts'
import type { DataOf } from './queries.ts'

// Other programs.

/** Settings of the desktop app. Its menus change them too, so they are fetched each time. */
export const desktopOptions = (host: DashboardBridge) =>
  queryOptions({ queryKey: ['desktop-settings'], queryFn: () => host.readSettings(), staleTime: 0 })

/** The web browsers of this machine, and whether their extension reaches Earmark. */
export const browsersOptions = queryOptions({
  queryKey: ['browsers'],
  queryFn: () => ask(api.browsers.$get()),
  staleTime: 0
})

/** The editors of this machine whose files Earmark can write. */
export const editorsOptions = queryOptions({ queryKey: ['editors'], queryFn: () => ask(api.editors.$get()) })

export type Editor = DataOf<typeof editorsOptions>[number]

/** The bookmark files of the browsers of this machine, with the number of bookmarks that are new. */
export const browserFilesOptions = queryOptions({
  queryKey: ['browsers', 'files'],
  queryFn: () => ask(api['browser-files'].$get())
})

export type BrowserFile = DataOf<typeof browserFilesOptions>[number]

// API keys.

/** All API keys, newest first. */
export const keysOptions = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await ask(api.keys.$get())).toReversed()
})

export type ApiKey = DataOf<typeof keysOptions>[number]

/** A key with its secret, which is shown once. */
export type NewKey = InferResponseType<typeof api.keys.$post, 201> & { name: string; rotated: boolean }

/** The key that was just created. It stays while the owner visits other pages, until they dismiss it. */
export const newKeyOptions = queryOptions<NewKey | null, Error, NewKey | null, ['made-key']>({
  queryKey: ['made-key'],
  enabled: false,
  initialData: null,
  gcTime: Number.POSITIVE_INFINITY
})

/** Calls in a page of the ledger. */
const CALLS_PAGE = 50

/** A key's calls, newest first, page by page. */
export const callsOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['calls', id],
    queryFn: ({ pageParam }) => {
      const query = { limit: String(CALLS_PAGE), before: pageParam?.toString() }
      return ask(api.keys[':id'].calls.$get({ param: { id }, query }))
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < CALLS_PAGE ? undefined : page.at(-1)?.id)
  })

/** A key's last call, or `null`. */
export const newestCallOptions = (id: string) =>
  queryOptions({
    queryKey: ['calls', id, 'newest'],
    queryFn: async () => (await ask(api.keys[':id'].calls.$get({ param: { id }, query: { limit: '1' } })))[0] ?? null,
    gcTime: 0
  })

export type Call = NonNullable<DataOf<ReturnType<typeof newestCallOptions>>>

// Imports, backups, other machines and long work.

/** The last imports, newest first. */
export const importsOptions = queryOptions({
  queryKey: ['imports'],
  queryFn: () => ask(api.imports.$get()),
  staleTime: 0
})

/** Poll interval for the progress of long work, in ms. */
const PROGRESS_MS = 300

/** The progress of an import, once the service has started it. */
export const importProgressOptions = (name: string) =>
  queryOptions({
    queryKey: ['import-progress', name],
    queryFn: () => ask(api.imports.running[':name'].$get({ param: { name } })),
    refetchInterval: PROGRESS_MS,
    retry: false
  })

/** The progress of other long work. */
export const workOptions = (name: string) =>
  queryOptions({
    queryKey: ['work', name],
    queryFn: () => ask(api.work[':name'].$get({ param: { name } })),
    refetchInterval: PROGRESS_MS,
    retry: false,
    gcTime: 0
  })

/** The backups of the library, newest first. */
export const backupsOptions = queryOptions({
  queryKey: ['backups'],
  queryFn: () => ask(api.backups.$get()),
  staleTime: 0
})

/** Where backups are copied to, and what is wrong with the copies. */
export const copiesOptions = queryOptions({
  queryKey: ['backups', 'copies'],
  queryFn: () => ask(api.backups.copies.$get()),
  staleTime: 0
})

/** Poll intervals for watched folders and files, and while synchronization has changes to exchange, in ms. */
const POLL_MS = 5000
const BUSY_POLL_MS = 1000

/** Files of other programs that are imported again whenever they change. */
export const watchedOptions = queryOptions({
  queryKey: ['settings', 'watched-files'],
  queryFn: () => ask(api['watched-files'].$get()),
  refetchInterval: ({ state }) => (state.data?.files.length ? POLL_MS : false)
})

/** The folder with a Markdown file for each bookmark. */
export const markdownFolderOptions = queryOptions({
  queryKey: ['settings', 'markdown-folder'],
  queryFn: () => ask(api.settings['markdown-folder'].$get()),
  refetchInterval: ({ state }) => (state.data?.folder ? POLL_MS : false)
})

/** The browsers that are logged in. */
export const sessionsOptions = queryOptions({
  queryKey: ['settings', 'sessions'],
  queryFn: () => ask(api.sessions.$get()),
  staleTime: 0
})

/** The state of synchronization with other machines. */
export const syncOptions = queryOptions({
  queryKey: ['settings', 'sync'],
  queryFn: () => ask(api.sync.$get()),
  refetchInterval: ({ state }) => {
    const sync = state.data?.sync
    return sync ? (sync.progress || sync.unsent > 0 ? BUSY_POLL_MS : POLL_MS) : false
  }
})

export type Sync = NonNullable<DataOf<typeof syncOptions>['sync']>

/** The sync code. It is removed from the cache when it is hidden. */
export const syncCodeOptions = queryOptions({
  queryKey: ['settings', 'sync-code'],
  queryFn: () => ask(api.sync.code.$get()),
  gcTime: 0
})
