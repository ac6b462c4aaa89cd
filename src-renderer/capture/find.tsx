import { plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { askBookmarks, type BookmarksPage, noteOpened, type ShownBookmark } from '../api/client.ts'
import { siteInLetters, TYPE_NAMES, titleOf } from '../lib/labels.ts'
import { i18n } from '../lib/locale.ts'
import { COMMAND, host, Keys } from './keys.tsx'

const optionId = (index: number) => `found-${index}`

interface FindProps {
  /** Whether Escape goes back to a typed text. */
  isWaiting: boolean
  /** Goes back to capture mode. */
  onBack(): void
  onClose(): void
  onOpen(id: string): void
}

/** A search field with its results: arrows select one, Enter opens it, Ctrl-C copies its address. */
export function Find({ isWaiting, onBack, onClose, onOpen }: FindProps) {
  const field = useRef<HTMLInputElement>(null)
  const { words, type, index, setIndex, page, count, busy, problem, message, copy } = useFinding()
  const chosen = page?.bookmarks[index]
  useEffect(() => field.current?.focus(), [])

  function open(bookmark: ShownBookmark, inEarmark: boolean): void {
    if (inEarmark || bookmark.url === null) onOpen(bookmark.id)
    else {
      host.openPage(bookmark.url)
      noteOpened([bookmark.id]).catch(() => {}) // a failure does not matter for opening
      onClose()
    }
  }

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') return isWaiting ? onBack() : onClose()
    if (event.key === 'Backspace' && words === '') onBack()
    else if (event.key === 'ArrowDown' && count > 0) setIndex((index + 1) % count)
    else if (event.key === 'ArrowUp' && count > 0) setIndex((index - 1 + count) % count)
    else if (event.key === 'Enter' && chosen) open(chosen, event.ctrlKey || event.metaKey)
    else if (isCopy(event) && chosen && !hasSelection(field.current)) void copy(chosen)
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the window
    <div className="window" onKeyDown={onKey}>
      <h1 className="unseen">{t`Find a bookmark`}</h1>
      <input
        ref={field}
        type="text"
        role="combobox"
        className="find"
        aria-label={t`Find a bookmark`}
        aria-expanded={count > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={chosen ? optionId(index) : undefined}
        placeholder={t`Find a bookmark`}
        spellCheck={false}
        maxLength={1000}
        value={words}
        onChange={(event) => type(event.target.value)}
      />
      <Results bookmarks={page?.bookmarks ?? []} selected={index} busy={busy} onOpen={open} />
      {page && count === 0 && (
        <p className="nothing">{words.trim() === '' ? t`No bookmarks yet.` : t`Nothing matches.`}</p>
      )}
      <p className="unseen" aria-live="polite">
        {page && plural(count, { one: '# bookmark', other: '# bookmarks' })}
      </p>
      <div className="row foot">
        <Foot message={problem ?? message ?? page?.hint} isProblem={problem !== undefined} isWaiting={isWaiting} />
      </div>
    </div>
  )
}

/** The typed words, the bookmarks that match, and the selected one. */
function useFinding() {
  const [words, setWords] = useState('')
  const [index, setIndex] = useState(0)
  const [message, setMessage] = useState<string>()
  const { page, problem, busy } = useMatches(words)
  return {
    words,
    index,
    setIndex,
    page,
    count: page?.bookmarks.length ?? 0,
    busy,
    problem,
    message,
    type(typed: string) {
      setWords(typed)
      setIndex(0)
      setMessage(undefined)
    },
    copy: ({ url, content }: ShownBookmark) =>
      host.copyText(url ?? content).then(
        () => setMessage(t`Copied ${url ?? content.slice(0, 80)}`),
        () => setMessage(t`The browser does not let this page use the clipboard.`)
      )
  }
}

interface ResultsProps {
  bookmarks: ShownBookmark[]
  /** The index of the selected bookmark. */
  selected: number
  busy: boolean
  onOpen(bookmark: ShownBookmark, inEarmark: boolean): void
}

/** The bookmarks that match. The selected one is scrolled into view. */
function Results({ bookmarks, selected, busy, onOpen }: ResultsProps) {
  useEffect(() => {
    // In braces, because newer browsers return a promise, which is not a cleanup function.
    document.getElementById(optionId(selected))?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <div id="found" role="listbox" aria-label={t`Bookmarks found`} aria-busy={busy} className="found">
      {bookmarks.map((bookmark, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, and keeps the focus
        <div
          key={bookmark.id}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => onOpen(bookmark, event.ctrlKey || event.metaKey)}
        >
          <Row bookmark={bookmark} />
        </div>
      ))}
    </div>
  )
}

function Row({ bookmark }: { bookmark: ShownBookmark }) {
  const { type, domain, content, tags } = bookmark
  return (
    <>
      {type === 'color' && <span className="dot" style={{ background: content }} aria-hidden />}
      <span className="name">{titleOf(bookmark)}</span>
      <span className="count">
        {domain ? siteInLetters(domain) : i18n._(TYPE_NAMES[type])}
        {tags.slice(0, 2).map((tag) => ` #${tag}`)}
      </span>
    </>
  )
}

interface FootProps {
  message: string | undefined
  isProblem: boolean
  isWaiting: boolean
}

function Foot({ message, isProblem, isWaiting }: FootProps) {
  if (message !== undefined) {
    return (
      <p className={isProblem ? 'said problem' : 'said'} role={isProblem ? 'alert' : 'status'}>
        {message}
      </p>
    )
  }
  return (
    <Keys
      keys={[
        ['Enter', t`opens`],
        [`${COMMAND} C`, t`copies`],
        [`${COMMAND} Enter`, t`shows in Earmark`],
        ['Esc', isWaiting ? t`goes back` : t`closes`]
      ]}
    />
  )
}

function isCopy({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'c' && (ctrlKey || metaKey)
}

function hasSelection(field: HTMLInputElement | null): boolean {
  return field !== null && field.selectionStart !== field.selectionEnd
}

/** Maximum number of bookmarks that are shown. */
const MAX_RESULTS = '20'

interface Answer {
  /** The words of the request. */
  words?: string
  page?: BookmarksPage
  problem?: string
}

/**
 * Searches bookmarks after each key; without words, it returns the newest. The last results stay until the answer
 * arrives.
 */
function useMatches(words: string) {
  const [answer, setAnswer] = useState<Answer>({})
  useEffect(() => {
    const stop = new AbortController()
    const query = words.trim() === '' ? { limit: MAX_RESULTS } : { words, typing: 'true' as const, limit: MAX_RESULTS }
    askBookmarks(query, stop.signal).then(
      (page) => stop.signal.aborted || setAnswer({ words, page }),
      (error: Error) => stop.signal.aborted || setAnswer((last) => ({ ...last, words, problem: error.message }))
    )
    return () => stop.abort()
  }, [words])
  return { ...answer, busy: answer.words !== words }
}
