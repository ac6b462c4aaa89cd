import { useEffect, useState } from 'react'
import { askBookmarks, type BookmarksPage } from '../shared/bookmark-data.ts'

/** Bookmarks that are shown at a time. */
const MAX_RESULTS = '20'

interface Answer {
  /** The words of the request. */
  words?: string
  found?: BookmarksPage
  problem?: string
}

/**
 * Finds bookmarks by the words, with each key; without words, the newest. The last results stay until the answer is
 * there.
 */
export function useFound(words: string) {
  const [answer, setAnswer] = useState<Answer>({})
  useEffect(() => {
    const stop = new AbortController()
    const query = words.trim() === '' ? { limit: MAX_RESULTS } : { words, typing: 'true' as const, limit: MAX_RESULTS }
    askBookmarks(query, stop.signal).then(
      (found) => stop.signal.aborted || setAnswer({ words, found }),
      (error: Error) => stop.signal.aborted || setAnswer((now) => ({ ...now, words, problem: error.message }))
    )
    return () => stop.abort()
  }, [words])
  return { ...answer, busy: answer.words !== words }
}
