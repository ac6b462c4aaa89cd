/** Fetches again what a change made stale: a change of this page, or one that the service reports. */
import { MutationCache, type Query, QueryCache, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Change } from '../../src-main/contract/change.ts'
import { pause, whenIdle } from '../lib/waiting.ts'
import { notifyError } from '../ui/notify.tsx'
import { ApiProblem, elementAddress, endsSession, Unreachable } from './client.ts'

/** What a query reads: the first part of its key. */
type Subject =
  | 'backups'
  | 'bookmarks'
  | 'browsers'
  | 'calls'
  | 'color-forms'
  | 'connected'
  | 'counts'
  | 'deletion'
  | 'desktop-settings'
  | 'editors'
  | 'help'
  | 'import-progress'
  | 'imports'
  | 'keys'
  | 'links'
  | 'logged-out'
  | 'made-key'
  | 'opened'
  | 'organizations'
  | 'page'
  | 'past'
  | 'rules'
  | 'searches'
  | 'settings'
  | 'status'
  | 'tags'
  | 'unchecked'
  | 'work'

/** The kinds of changes: those of the service's events, and two that only this window reports. */
type Changed = Change['kind'] | 'browsers' | 'editors'

/** The queries that are stale after each kind of change. */
const STALE: Record<Changed, Subject[]> = {
  bookmarks: ['bookmarks', 'opened', 'page', 'counts', 'tags', 'status', 'organizations', 'imports'],
  tags: ['tags', 'bookmarks'],
  organizations: ['organizations', 'keys', 'rules', 'bookmarks', 'counts', 'status'],
  keys: ['keys', 'status', 'organizations'],
  calls: ['calls', 'keys'],
  settings: ['settings'],
  searches: ['searches'],
  rules: ['rules'],
  details: ['bookmarks', 'opened', 'page'],
  links: ['links', 'counts', 'page'],
  backups: ['backups', 'status'],
  browsers: ['browsers'],
  editors: ['editors'],
  openings: ['opened']
}

/**
 * Keeps a list unchanged on the screen while others change its bookmarks. A change made in this window ends the hold. The
 * list's queries have it in their `meta`.
 */
export interface Hold {
  isHeld(): boolean
  end(): void
}

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [Subject, ...unknown[]]
    queryMeta: { hold?: Hold }
    /** `changes`: what is stale afterwards. `quiet`: the component that changes it shows the error. */
    mutationMeta: { changes?: Changed[] | 'all'; quiet?: boolean }
  }
}

/** Shows failed mutations in a notice, unless they are quiet. Components show their failed queries. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => endsSession(error) && endSession() }),
  mutationCache: new MutationCache({
    onError(error, _variables, _result, { meta }) {
      if (endsSession(error)) endSession()
      else if (!meta?.quiet) notifyError(error)
    },
    async onSettled(_data, error, _variables, _result, { meta }) {
      // A refused change may have been made in part.
      const isAnswered = !error || (error instanceof ApiProblem && !endsSession(error))
      if (isAnswered && meta?.changes) await refetch(meta.changes)
    }
  }),
  defaultOptions: {
    queries: {
      // Until then, events report changes.
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // The service is on this machine: if it does not answer twice, it is not running.
      networkMode: 'always',
      retry: (failures, error) => error instanceof Unreachable && failures < 1,
      retryDelay: 500
    },
    mutations: { networkMode: 'always' }
  }
})

/** Fetches the shown queries that a change of this page made stale, and marks the others to be fetched when they are shown. */
export function refetch(changes: Changed[] | 'all'): Promise<void> {
  endHolds(changes)
  return refetchUnheld(changes)
}

export function endHolds(changes: readonly Changed[] | 'all'): void {
  for (const { meta } of queryClient.getQueryCache().findAll({ predicate: isStaleAfter(changes) })) meta?.hold?.end()
}

/** Like `refetch`, but leaves held queries as they are. */
async function refetchUnheld(changes: Changed[] | 'all'): Promise<void> {
  const isStale = isStaleAfter(changes)
  const predicate = (query: Query) => isStale(query) && !query.meta?.hold?.isHeld()
  // A first request that is running may have read before the change, and TanStack Query would not repeat it.
  const running = queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })
  const repeated = running
    .filter(({ state }) => state.data === undefined)
    .map(async ({ promise, queryKey }) => {
      await promise
      await queryClient.invalidateQueries({ queryKey, exact: true })
    })
  await Promise.all([queryClient.invalidateQueries({ predicate }), Promise.allSettled(repeated)])
}

function isStaleAfter(changes: readonly Changed[] | 'all') {
  const subjects = changes === 'all' ? undefined : changes.flatMap((kind) => STALE[kind])
  return ({ queryKey }: Query) => subjects?.includes(queryKey[0]) ?? true
}

/** Minimum and maximum time between two fetches for changes that come one after another, in ms. */
const APART_MS = 300
const MAX_APART_MS = 1000

const queued = new Set<Changed>()
let isFetching = false

/** Like `refetchUnheld`; changes that come close together are collected and fetched together. */
export async function refetchSoon(...changes: Changed[]): Promise<void> {
  for (const kind of changes) queued.add(kind)
  if (isFetching || queued.size === 0) return
  isFetching = true
  const batch = [...queued]
  queued.clear()
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  // Goes on after a second even if one query is slow.
  await Promise.all([wait(APART_MS), Promise.race([refetchUnheld(batch), wait(MAX_APART_MS)])]).catch(() => {})
  isFetching = false
  void refetchSoon()
}

/** Minimum time between two fetches of the details of web pages, in ms. After an import they arrive for hours. */
const DETAILS_APART_MS = 2000

let detailsFetchedAt = 0
let detailsTimer: ReturnType<typeof setTimeout> | undefined

const listeners = new Set<(change: Change) => void>()

/** Handles a change that the service reports. Listeners run first, because a list may start a hold. */
function receive(change: Change): void {
  for (const listener of listeners) listener(change)
  if (change.kind !== 'details') return void refetchSoon(change.kind)
  if (detailsTimer !== undefined) return
  const wait = detailsFetchedAt + DETAILS_APART_MS - Date.now()
  detailsTimer = setTimeout(() => {
    detailsTimer = undefined
    detailsFetchedAt = Date.now()
    void refetchSoon('details')
  }, wait)
}

/** Calls back with each change that the service reports, while the component is shown. */
export function useChange(listener: (change: Change) => void): void {
  const onChange = useEffectEvent(listener)
  useEffect(() => {
    const call = (change: Change) => onChange(change)
    listeners.add(call)
    return () => void listeners.delete(call)
  }, [])
}

/** Options of a state that this page sets and never fetches. */
const LOCAL = { enabled: false, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } as const

/** Whether the service reports its changes now. */
export const connectedOptions = queryOptions({ queryKey: ['connected'], initialData: false, ...LOCAL })

/** Whether the service answered when the stream ended: it refuses all requests while it restores a backup. */
const refusesOptions = queryOptions({ queryKey: ['connected', 'refuses'], initialData: false, ...LOCAL })

/** Locks that allow three streams. A browser opens at most six connections to a host, so three remain for requests. */
const STREAMS = ['earmark-stream-1', 'earmark-stream-2', 'earmark-stream-3']

/** How often a window without a stream fetches what it shows, in ms. */
const POLL_MS = 5000

/**
 * Follows the service's changes while the page is visible: by a stream if one is free, otherwise by polling. A page that
 * becomes visible again fetches everything that it shows.
 *
 * @returns stops it
 */
export function followChanges(): () => void {
  let visible = new AbortController()
  function onVisibility(): void {
    visible.abort()
    visible = new AbortController()
    if (!document.hidden) void follow(visible.signal)
  }
  onVisibility()
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    visible.abort()
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const name of STREAMS) {
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => lock && stream(signal))
    }
    if (signal.aborted) return
    await refetchUnheld(Object.keys(STALE) as Changed[])
    const isConnected = queryClient.getQueryState(['status'])?.status === 'success'
    queryClient.setQueryData(connectedOptions.queryKey, isConnected)
    await pause(POLL_MS, signal).catch(() => {}) // aborted
  }
}

/** Time before the stream is opened again, after an answer that was not a stream, in ms. */
const RETRY_MS = 1000

/** Receives changes until the signal is aborted. */
function stream(signal: AbortSignal): Promise<void> {
  let source: EventSource
  let retry: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    source = new EventSource(elementAddress('/api/events'))
    source.onopen = () => {
      queryClient.setQueryData(connectedOptions.queryKey, true)
      // Fetches changes made before the stream was open, but only after the page is built.
      whenIdle(() => refetchUnheld('all'))
    }
    source.onmessage = ({ data }) => receive(JSON.parse(data))
    source.onerror = () => {
      // The browser reconnects, unless the answer was not a stream. Then the session may have ended.
      const isRefused = source.readyState === EventSource.CLOSED
      queryClient.setQueryData(refusesOptions.queryKey, isRefused)
      queryClient.setQueryData(connectedOptions.queryKey, false)
      if (!isRefused) return
      void queryClient.invalidateQueries({ queryKey: ['status'] })
      retry = setTimeout(open, RETRY_MS)
    }
  }
  if (signal.aborted) return Promise.resolve()
  open()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearTimeout(retry)
      source.close()
      resolve()
    })
  })
}

/** Maximum time that a restart, or the restoration of a backup, takes until the service answers again, in ms. */
const [RESTART_MS, RESTORE_MS] = [1500, 30_000]

/** Whether the service stopped answering. */
export function useServiceGone(): boolean {
  const isConnected = useQuery(connectedOptions).data
  const patience = useQuery(refusesOptions).data ? RESTORE_MS : RESTART_MS
  const wasConnected = useRef(false)
  const [isGone, setGone] = useState(false)
  if (isConnected) wasConnected.current = true
  useEffect(() => {
    if (isConnected || !wasConnected.current) return setGone(false)
    const timer = setTimeout(() => setGone(true), patience)
    return () => clearTimeout(timer)
  }, [isConnected, patience])
  return isGone
}

/** Whether the session has ended, so that every page shows how to log in. */
export const loggedOutOptions = queryOptions({ queryKey: ['logged-out'], initialData: false, ...LOCAL })

/** Shows how to log in, after an answer with status 401 or after logging out. */
export function endSession(): void {
  queryClient.setQueryData(loggedOutOptions.queryKey, true)
  queryClient.removeQueries({ queryKey: ['made-key'] })
}
