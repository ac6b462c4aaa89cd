import { useThrottledCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { agentName } from '../../shared/agents.ts'
import { type LiveEvent, useLiveEvents } from '../../shared/live.ts'
import { refreshSoon } from '../../shared/refresh.ts'
import { bookmarks } from '../../strings/bookmarks.ts'
import { MARKED_MS } from './list/just-saved.ts'

/** Pages' details come in many a second; so often, in milliseconds, they are shown. */
const DETAILS_EVERY = 2000

/**
 * Keeps a list in step with the library. What is new appears at once at the top, but where one has scrolled away it
 * waits: nothing moves under a reader.
 */
export function useFresh() {
  const away = useRef(false)
  const [count, setCount] = useState(0)
  const { justSaved, noteSaved } = useJustSaved()

  function showAll(): void {
    setCount(0)
    refreshSoon('bookmarks')
  }

  const refreshDetails = useThrottledCallback(() => {
    // What waits to be shown would be shown along.
    if (!away.current || count === 0) refreshSoon('bookmarks')
  }, DETAILS_EVERY)

  useLiveEvents(({ kind, saved = 0, by }: LiveEvent) => {
    if (kind === 'details') return refreshDetails()
    if (kind !== 'bookmarks') return
    if (saved > 0 && by !== undefined) noteSaved(saved, agentName(by) || bookmarks.anAgent)
    if (saved > 0 && away.current) setCount((now) => now + saved)
    else showAll()
  })

  return {
    /** Bookmarks that wait to be shown. */
    count,
    /** The bookmarks agents saved a moment ago. */
    justSaved,
    setAway(now: boolean) {
      if (away.current && !now && count > 0) showAll()
      away.current = now
    },
    show(toTop: () => void) {
      toTop()
      showAll()
    }
  }
}

interface JustSaved {
  count: number
  agent: string
}

/** Collects the bookmarks agents save in some seconds into one message. */
function useJustSaved() {
  const [justSaved, setJustSaved] = useState<JustSaved>()
  function noteSaved(saved: number, agent: string): void {
    setJustSaved((before) => ({ count: (before?.agent === agent ? before.count : 0) + saved, agent }))
  }
  useEffect(() => {
    if (!justSaved) return
    const timer = setTimeout(() => setJustSaved(undefined), MARKED_MS)
    return () => clearTimeout(timer)
  }, [justSaved])
  return { justSaved, noteSaved }
}
