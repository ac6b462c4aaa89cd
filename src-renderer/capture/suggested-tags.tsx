import { plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { isState } from '../../src-main/contract/tag-names.ts'
import { api, ask } from '../api/client.ts'
import { pause } from '../lib/waiting.ts'
import { addTag } from './read-entry.ts'
import type { Capture } from './use-capture.ts'

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

  /** Takes the first with the right arrow, which leads nowhere at the end of the text. @returns whether it did */
  function onKey(event: KeyboardEvent): boolean {
    const [tag] = suggested
    const atEnd = event.target === field.current && field.current?.selectionStart === typed.length
    if (!tag || !atEnd || event.key !== 'ArrowRight' || event.shiftKey || event.ctrlKey || event.metaKey) return false
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
