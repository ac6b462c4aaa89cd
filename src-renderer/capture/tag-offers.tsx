import { plural, t } from '@lingui/core/macro'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { isState } from '../../src-main/contract/tag-names.ts'
import { api, ask } from '../api/client.ts'
import { ARROWS } from '../lib/locale.ts'
import { foldName, matchTags } from '../lib/match-names.ts'
import type { TagCount } from '../lib/tag-tree.ts'
import { pause } from '../lib/waiting.ts'
import { addTag, namesIn, writeTag } from './read-entry.ts'
import type { Capture } from './use-capture.ts'

export const LIST_ID = 'tag-offers'

export const optionId = (index: number) => `${LIST_ID}-${index}`

interface OffersOptions {
  field: RefObject<HTMLTextAreaElement | null>
  typed: string
  taken: string[]
  /** Changes whenever the window opens, because the tags may have changed since. */
  round: number
  onTake(typed: string): void
}

/**
 * Completions of the typed tag. Tab takes one. Enter takes one only after the arrows have selected it: otherwise it saves
 * the typed text.
 */
export function useTagOffers({ field, typed, taken, round, onTake }: OffersOptions) {
  const all = useTags(round)
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [moved, setMoved] = useState(false)
  const [dismissed, setDismissed] = useState<string>()
  const [newCaret, setNewCaret] = useState<{ caret: number }>()
  const partial = typed === dismissed ? undefined : findPartialTag(typed, Math.min(caret, typed.length))
  const tags = partial ? offerTags(all, partial, withoutPartial(taken, partial.text)) : []

  function take(tags: string[]): void {
    if (!partial) return
    const next = takeTags(typed, partial, tags)
    onTake(next.typed)
    setCaret(next.caret)
    setMoved(false)
    setNewCaret(next)
  }

  /** A list that is pasted after a `#` becomes tags. */
  function onPaste(event: ClipboardEvent): void {
    const names = namesIn(event.clipboardData.getData('text/plain'))
    if (!partial || names.length < 2) return
    event.preventDefault()
    const [first = '', ...others] = names
    take([partial.text + first, ...others])
  }

  // After the text is rendered, and before the next key.
  useLayoutEffect(() => {
    if (newCaret) field.current?.setSelectionRange(newCaret.caret, newCaret.caret)
  }, [newCaret, field])

  function step(by: number): void {
    setChosen((chosen + by + tags.length) % tags.length)
    setMoved(true)
  }

  /** @returns whether the list handled the key */
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
    /** Called when the caret has moved or the text has changed. */
    update() {
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

/** Removes the tag that is being typed from the tags of the text, so that it is still offered. */
function withoutPartial(taken: string[], partial: string): string[] {
  const index = taken.lastIndexOf(partial)
  return index < 0 ? taken : taken.toSpliced(index, 1)
}

/** All tags, most used first. If they cannot be fetched, none are offered. */
function useTags(round: number): TagCount[] {
  const [tags, setTags] = useState<TagCount[]>([])
  useEffect(() => {
    if (round < 0) return
    ask(api.tags.$get()).then(
      (all) => setTags(all.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name))),
      () => {}
    )
  }, [round])
  return tags
}

/** A tag that is being typed: its positions, and its text before the caret. */
interface PartialTag {
  start: number
  end: number
  text: string
}

/** Returns the tag before the caret; `undefined` if there is none. */
export function findPartialTag(typed: string, caret: number): PartialTag | undefined {
  const [, before = '', quoted, bare] = PARTIAL_TAG.exec(typed.slice(0, caret)) ?? []
  const text = quoted ?? bare
  if (text === undefined) return undefined
  // Not in the middle of a word: the rest of the word would stay after the completion.
  if (/^[^\s#]/.test(typed.slice(caret))) return undefined
  return { start: before.length, end: caret, text }
}

const PARTIAL_TAG = /^(.*\s|)#(?:"([^"\n]*)|([^\s#"]*))$/s

/** Maximum number of completions. */
const MAX_OFFERS = 4

/** Returns the tags that match, without those that the text has already or that cannot be typed. */
export function offerTags<Tag extends { name: string }>(tags: Tag[], { text }: PartialTag, taken: string[]): Tag[] {
  const used = new Set([text.trim(), ...taken].map(foldName))
  const unused = tags.filter(({ name }) => !name.includes('"') && !used.has(foldName(name)))
  return matchTags(unused, text).slice(0, MAX_OFFERS)
}

/** Replaces the tag that is being typed by others. Returns the text, and the new position of the caret. */
export function takeTags(typed: string, partial: PartialTag, tags: string[]): { typed: string; caret: number } {
  const before = `${typed.slice(0, partial.start)}${tags.map((tag) => `${writeTag(tag)} `).join('')}`
  return { typed: before + typed.slice(partial.end).trimStart(), caret: before.length }
}

/** Pause in typing before tags are suggested, in ms. */
const PAUSE_MS = 300

/** Maximum number of suggested tags. */
const MAX_TAGS = 3

/** Suggests tags of bookmarks that are similar to the typed link. The page of the link is not requested. */
export function useSuggestedTags(capture: Capture, field: RefObject<HTMLTextAreaElement | null>) {
  const { typed, tags } = capture
  const all = useSuggestions(capture)
  const suggested = all.filter((tag) => !tags.includes(tag) && !isState(tag) && !tag.includes('"')).slice(0, MAX_TAGS)

  function take(tag: string): void {
    capture.change(addTag(typed, tag))
    field.current?.focus()
  }

  /** At the end of the text, the right arrow takes the first tag. @returns whether it did */
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

function useSuggestions({ type, detected, fields, tags, outcome }: Capture): string[] {
  const [suggested, setSuggested] = useState<string[]>([])
  const url = type === 'link' && outcome?.kind !== 'existing' ? detected.url : undefined
  const about = url && JSON.stringify({ url, title: fields?.title, description: fields?.description, tags })
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    if (!about) return setSuggested([])
    pause(PAUSE_MS, signal)
      .then(() => ask(api.tags.suggestions.$post({ json: JSON.parse(about) }, { init: { signal } })))
      // Errors are ignored: then there are no suggestions.
      .then(
        (answer) => setSuggested(answer.tags),
        () => signal.aborted || setSuggested([])
      )
    return () => ended.abort()
  }, [about])
  return suggested
}

/** Buttons that add the suggested tags. */
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
