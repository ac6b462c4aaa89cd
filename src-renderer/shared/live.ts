import type { Query } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { elementAddress } from './kept-session.ts'
import { fetchAgain, refresh, refreshSoon } from './refresh.ts'
import { statusOptions } from './status.ts'
import { storeOf, useStore } from './store.ts'
import { whenIdle } from './when-idle.ts'

/** An event of the service: the kind of data that changed, how many bookmarks were saved, and by which client. */
export interface LiveEvent {
  kind:
    | 'bookmarks'
    | 'tags'
    | 'organizations'
    | 'keys'
    | 'calls'
    | 'settings'
    | 'searches'
    | 'rules'
    | 'details'
    | 'links'
  saved?: number
  by?: string
}

/** `begins`: a tab listens from now on, because it can again or because another one left. */
type Message = { event: LiveEvent } | { connected: boolean; begins?: true } | { asks: true }

/**
 * The queries to fetch again after a change. Bookmarks refresh themselves: their lists know whether somebody reads
 * them.
 */
const STALE: Record<LiveEvent['kind'], Parameters<typeof refreshSoon>> = {
  bookmarks: ['counts', 'tags', 'status', 'organizations'],
  tags: ['tags', 'bookmarks'],
  organizations: ['organizations', 'keys', 'rules', 'bookmarks'],
  keys: ['keys', 'status', 'organizations'],
  calls: ['calls', 'keys'],
  settings: ['settings'],
  searches: ['searches'],
  rules: ['rules'],
  details: [],
  links: ['links', 'counts']
}

const listeners = new Set<(event: LiveEvent) => void>()
const connected = storeOf(false)
let wasConnected = false

/** Calls back with every change, as long as the component is there. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const hears = useEffectEvent(listener)
  useEffect(() => {
    const hear = (event: LiveEvent) => hears(event)
    listeners.add(hear)
    return () => void listeners.delete(hear)
  }, [])
}

/** Whether changes are being told now. */
export const useConnected = (): boolean => useStore(connected)

/** A service that starts anew is back before this, in milliseconds. */
const MOMENT = 1500

/** Whether the service, which was there, answers no longer. */
export function useServiceGone(): boolean {
  const isConnected = useConnected()
  const wasConnected = useRef(false)
  const [gone, setGone] = useState(false)
  if (isConnected) wasConnected.current = true
  useEffect(() => {
    if (isConnected || !wasConnected.current) return setGone(false)
    const waiting = setTimeout(() => setGone(true), MOMENT)
    return () => clearTimeout(waiting)
  }, [isConnected])
  return gone
}

/**
 * Starts telling this page of changes. One tab listens to the service and tells the others: a browser opens six
 * connections to a host at most, and a stream in each of six tabs would leave none for anything else.
 */
export function useLive(): void {
  useEffect(() => {
    const channel = new BroadcastChannel('earmark-live')
    const leaving = new AbortController()
    const tellOthers = (message: Message) => channel.postMessage(message)
    const tell = (message: Message) => {
      hear(message)
      tellOthers(message)
    }
    channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
    navigator.locks
      .request('earmark-live', { signal: leaving.signal }, () => {
        channel.onmessage = ({ data }: MessageEvent<Message>) =>
          'asks' in data && tellOthers({ connected: connected.get() })
        return listen(tell, leaving.signal)
      })
      .catch(() => {}) // left before it was this tab's turn
    tellOthers({ asks: true })
    return () => {
      leaving.abort()
      channel.close()
    }
  }, [])
}

/** Listens until told to leave. */
function listen(tell: (message: Message) => void, leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource
    let again: ReturnType<typeof setTimeout>
    const open = () => {
      source = new EventSource(elementAddress('/api/events'))
      source.onopen = () => tell({ connected: true, begins: true })
      source.onmessage = ({ data }) => tell({ event: JSON.parse(data) as LiveEvent })
      source.onerror = () => {
        tell({ connected: false })
        // It tries again by itself, but not where the answer was no stream: then the session may have ended.
        if (source.readyState !== EventSource.CLOSED) return
        void refresh(statusOptions)
        again = setTimeout(open, 3000)
      }
    }
    open()
    leaving.addEventListener('abort', () => {
      clearTimeout(again)
      source.close()
      resolve()
    })
  })
}

/** Fetches the changes from before the connection. A page that is just being built comes first. */
function askAgain(): void {
  const first = !wasConnected
  wasConnected = true
  // Then, what failed is what a person tries again; later, the service may be back.
  const predicate = first ? ({ state }: Query) => state.status !== 'error' : undefined
  whenIdle(() => fetchAgain({ predicate }))
}

function hear(message: Message): void {
  if ('event' in message) {
    refreshSoon(...(STALE[message.event.kind] ?? []))
    for (const listener of listeners) listener(message.event)
  } else if ('connected' in message) {
    const changed = message.connected !== connected.get()
    connected.set(message.connected)
    if (message.connected && (changed || message.begins)) askAgain()
  }
}
