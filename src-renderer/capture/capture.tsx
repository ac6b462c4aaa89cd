import { type KeyboardEvent, useRef } from 'react'
import type { BookmarkType } from '../../src-main/contract/bookmark.ts'
import { bookmarks } from '../strings/bookmarks.ts'
import { capture as strings } from '../strings/capture.ts'
import { Thumb } from '../ui/thumb.tsx'
import { type Outcome, useCapture } from './use-capture.ts'

const TYPES: BookmarkType[] = ['link', 'image', 'color', 'text']

/** The whole window: one field, what it is taken for, and what became of it. */
export function Capture() {
  const field = useRef<HTMLTextAreaElement>(null)
  const capture = useCapture(focusEnd)

  function focusEnd() {
    // After the text is there.
    requestAnimationFrame(() => {
      const { current } = field
      current?.focus()
      current?.setSelectionRange(current.value.length, current.value.length)
    })
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Escape') return capture.close()
    // Of a word that is being composed, Enter is part.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const pressed = (event.target as Element).closest('button')
    if (event.shiftKey || pressed) return
    event.preventDefault()
    void capture.save()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the window
    <div className="window" onKeyDown={onKey}>
      <h1 className="unseen">{strings.title}</h1>
      <div className="entry">
        {capture.picture && <Thumb picture={capture.picture} size={72} />}
        {capture.color && <span className="swatch" style={{ background: capture.color }} aria-hidden />}
        <textarea
          ref={field}
          // biome-ignore lint/a11y/noAutofocus: the window is this field
          autoFocus
          rows={3}
          aria-label={strings.field}
          placeholder={capture.picture ? strings.pictureHint : strings.hint}
          spellCheck={false}
          value={capture.typed}
          onChange={(event) => capture.change(event.target.value)}
          onPaste={capture.paste}
        />
      </div>
      <div className="row">
        <fieldset aria-label={strings.type}>
          {TYPES.map((type) => (
            <label key={type}>
              <input type="radio" name="type" checked={type === capture.type} onChange={() => capture.choose(type)} />
              {bookmarks.types[type]}
            </label>
          ))}
        </fieldset>
        <ul className="tags" aria-label={bookmarks.tags}>
          {capture.tags.map((tag) => (
            <li key={tag}>#{tag}</li>
          ))}
        </ul>
      </div>
      <div className="row foot">
        <Said outcome={capture.outcome} onOpen={capture.openExisting} />
        <button type="button" onClick={capture.close}>
          {strings.close}
        </button>
        <button type="button" className="first" disabled={capture.saving} onClick={() => void capture.save()}>
          {strings.save}
        </button>
      </div>
    </div>
  )
}

function Said({ outcome, onOpen }: { outcome: Outcome | undefined; onOpen: (id: string) => void }) {
  if (outcome?.kind === 'problem') {
    return (
      <p className="said problem" role="alert">
        {outcome.message}
      </p>
    )
  }
  if (outcome) {
    return (
      <p className="said" role="status">
        {strings.already}{' '}
        <button type="button" className="link" onClick={() => onOpen(outcome.id)}>
          {strings.open}
        </button>
      </p>
    )
  }
  const [save, saves, close, closes] = strings.keys
  return (
    <p className="said keys">
      <kbd>{save}</kbd> {saves} <kbd>{close}</kbd> {closes}
    </p>
  )
}
