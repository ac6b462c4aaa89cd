import { plural, t } from '@lingui/core/macro'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { isState } from '../../src-main/contract/tag-names.ts'
import { api, ask } from '../api/client.ts'
import { ARROWS } from '../lib/locale.ts'
import { foldName, matchTags } from '../lib/match-names.ts'
import { pause } from '../lib/waiting.ts'
import { addTag, namesIn, writeTag } from './read-entry.ts'
import type { Capture } from './use-capture.ts'

export const LIST_ID = 'tag-offers'

export const optionId = (index: number) => `${LIST_ID}-${index}`

interface Tag {
  name: string
  bookmarks: number
}

interface OffersOptions {
  field: RefObject<HTMLTextAreaElement | null>
  typed: string
  taken: string[]
  /** Another one each time the window opens: the tags may have changed meanwhile. */
  round: number
  onTake(typed: string): void
}

/**
 * Tags of the library for the one that is being typed. Enter goes on to save what is typed: it takes a tag only once the
 * arrows chose it. Tab always does.
 */
export function useTagOffers({ field, typed, taken, round, onTake }: OffersOptions) {
  const all = useTags(round)
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [moved, setMoved] = useState(false)
  const [dismissed, setDismissed] = useState<string>()
  const [placed, setPlaced] = useState<{ caret: number }>()
  const begun = typed === dismissed ? undefined : begunTag(typed, Math.min(caret, typed.length))
  const tags = begun ? offerTags(all, begun, withoutBegun(taken, begun.text)) : []

  function take(tags: string[]): void {
    if (!begun) return
    const made = takeTags(typed, begun, tags)
    onTake(made.typed)
    setCaret(made.caret)
    setMoved(false)
    setPlaced(made)
  }

  /** A list that is pasted behind a `#` becomes tags. */
  function onPaste(event: ClipboardEvent): void {
    const names = namesIn(event.clipboardData.getData('text/plain'))
    if (!begun || names.length < 2) return
    event.preventDefault()
    const [first = '', ...others] = names
    take([begun.text + first, ...others])
  }

  // Once the text is there, and before the next key.
  useLayoutEffect(() => {
    if (placed) field.current?.setSelectionRange(placed.caret, placed.caret)
  }, [placed, field])

  function step(by: number): void {
    setChosen((chosen + by + tags.length) % tags.length)
    setMoved(true)
  }

  /** @returns whether the key was for the list */
  function onKey(event: KeyboardEvent): boolean {
    const tag = tags[chosen]
    if (!tag || event.target !== field.current) return false
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Escape') setDismissed(typed)
    else if ((event.key === 'Tab' && !event.shiftKey) || (event.key === 'Enter' && moved)) take([tag.name])
    else return false
    event.preventDefault()
    return true
  }

  return {
    tags,
    chosen,
    take,
    onKey,
    onPaste,
    /** The caret is elsewhere, or what was typed changed. */
    moved() {
      setCaret(field.current?.selectionEnd ?? 0)
      setChosen(0)
      setMoved(false)
    },
    aria: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': tags.length > 0 ? LIST_ID : undefined,
      'aria-activedescendant': tags.length > 0 ? optionId(chosen) : undefined
    }
  }
}

/** Removes the tag that is being typed from those taken, so that it is still offered. */
function withoutBegun(taken: string[], begun: string): string[] {
  const at = taken.lastIndexOf(begun)
  return at < 0 ? taken : taken.toSpliced(at, 1)
}

/** All tags, the most used first. Without them nothing is offered, and everything else works. */
function useTags(round: number): Tag[] {
  const [tags, setTags] = useState<Tag[]>([])
  useEffect(() => {
    if (round < 0) return
    ask(api.tags.$get()).then(
      (all) => setTags(all.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name))),
      () => {}
    )
  }, [round])
  return tags
}

/** A tag that is being typed: where it begins, and its text before the caret. */
interface BegunTag {
  start: number
  end: number
  text: string
}

/** Returns the tag that the caret is at the end of; `undefined` where it is elsewhere. */
export function begunTag(typed: string, caret: number): BegunTag | undefined {
  const [, before = '', quoted, bare] = BEGUN.exec(typed.slice(0, caret)) ?? []
  const text = quoted ?? bare
  if (text === undefined) return undefined
  // In the middle of a word nothing is completed: what stands behind would be left over.
  if (/^[^\s#]/.test(typed.slice(caret))) return undefined
  return { start: before.length, end: caret, text }
}

const BEGUN = /^(.*\s|)#(?:"([^"\n]*)|([^\s#"]*))$/s

/** Tags that are offered at a time. */
const MAX_OFFERS = 4

/** Returns tags of the library that match, without those that are there already or cannot be typed. */
export function offerTags<Tag extends { name: string }>(tags: Tag[], { text }: BegunTag, taken: string[]): Tag[] {
  const had = new Set([text.trim(), ...taken].map(foldName))
  const left = tags.filter(({ name }) => !name.includes('"') && !had.has(foldName(name)))
  return matchTags(left, text).slice(0, MAX_OFFERS)
}

/** Returns the typed text with tags in place of the one that was begun, and where the caret goes. */
export function takeTags(typed: string, begun: BegunTag, tags: string[]): { typed: string; caret: number } {
  const before = `${typed.slice(0, begun.start)}${tags.map((tag) => `${writeTag(tag)} `).join('')}`
  return { typed: before + typed.slice(begun.end).trimStart(), caret: before.length }
}

/** So long nothing is typed before tags are asked for, in milliseconds. */
const PAUSE_MS = 300

/** Tags suggested at once. */
const MAX_TAGS = 3

/** Tags that the owner's bookmarks most like the typed link have. Only the library is asked, never the page. */
export function useSuggestedTags(capture: Capture, field: RefObject<HTMLTextAreaElement | null>) {
  const { typed, tags } = capture
  const all = useAsked(capture)
  const suggested = all.filter((tag) => !tags.includes(tag) && !isState(tag) && !tag.includes('"')).slice(0, MAX_TAGS)

  function take(tag: string): void {
    capture.change(addTag(typed, tag))
    field.current?.focus()
  }

  /** Takes the first with the arrow to the end of the line, which leads nowhere there. @returns whether it did */
  function onKey(event: KeyboardEvent): boolean {
    const [tag] = suggested
    const atEnd = event.target === field.current && field.current?.selectionStart === typed.length
    if (!tag || !atEnd || event.key !== ARROWS.end || event.shiftKey || event.ctrlKey || event.metaKey) return false
    event.preventDefault()
    take(tag)
    return true
  }

  return { tags: suggested, take, onKey }
}

function useAsked({ type, detected, fields, tags, outcome }: Capture): string[] {
  const [suggested, setSuggested] = useState<string[]>([])
  const url = type === 'link' && outcome?.kind !== 'existing' ? detected.url : undefined
  const about = url && JSON.stringify({ url, title: fields?.title, description: fields?.description, tags })
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    if (!about) return setSuggested([])
    pause(PAUSE_MS, signal)
      .then(() => ask(api.tags.suggestions.$post({ json: JSON.parse(about) }, { init: { signal } })))
      // Without them everything else works.
      .then(
        (answer) => setSuggested(answer.tags),
        () => signal.aborted || setSuggested([])
      )
    return () => ended.abort()
  }, [about])
  return suggested
}

/** The tags, each of which a press adds. */
export function SuggestedTags({ suggested: { tags, take } }: { suggested: ReturnType<typeof useSuggestedTags> }) {
  return (
    <>
      <p className="unseen" aria-live="polite">
        {tags.length > 0 &&
          t`${plural(tags.length, { one: '# suggested tag', other: '# suggested tags' })}, the right arrow adds the first`}
      </p>
      {tags.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div className="suggested" role="group" aria-label={t`Suggested tags`}>
          {tags.map((tag, index) => (
            <button
              key={tag}
              type="button"
              aria-label={t`Add the tag “${tag}”`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(tag)}
            >
              <span className="name">#{tag}</span>
              {index === 0 && <kbd aria-hidden>→</kbd>}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
