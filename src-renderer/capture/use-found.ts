import { useEffect, useState } from 'react'
import { askBookmarks, type BookmarksPage } from '../shared/bookmark-data.ts'

/** Bookmarks that are shown at a time. */
const MOST = '20'

interface Answer {
  /** What was asked for. */
  words?: string
  found?: BookmarksPage
  problem?: string
}

/**
 * What the words find, with each key anew; without any, the newest. What was found before stays until the answer is
 * there.
 */
export function useFound(words: string) {
  const [answer, setAnswer] = useState<Answer>({})
  useEffect(() => {
    const stop = new AbortController()
    const query = words.trim() === '' ? { limit: MOST } : { words, typing: 'true' as const, limit: MOST }
    askBookmarks(query, stop.signal).then(
      (found) => stop.signal.aborted || setAnswer({ words, found }),
      (error: Error) => stop.signal.aborted || setAnswer((now) => ({ ...now, words, problem: error.message }))
    )
    return () => stop.abort()
  }, [words])
  return { ...answer, busy: answer.words !== words }
}
