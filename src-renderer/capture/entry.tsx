import { plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { BookmarkType } from '../../src-main/contract/bookmark.ts'
import { Thumb } from '../features/bookmarks/add/picture-file.tsx'
import { longDate } from '../lib/dates.ts'
import { latinKey } from '../lib/keyboard.ts'
import { TYPE_NAMES } from '../lib/labels.ts'
import { i18n, number } from '../lib/locale.ts'
import { COMMAND, Keys } from './keys.tsx'
import { LIST_ID, optionId, SuggestedTags, useSuggestedTags, useTagOffers } from './tag-offers.tsx'
import type { Capture, Outcome } from './use-capture.ts'

const TYPES: BookmarkType[] = ['link', 'image', 'color', 'text']

/** The field, the type of its content, the tags, and the result of saving. */
export function Entry({ capture }: { capture: Capture }) {
  const { round, typed, picture } = capture
  const field = useRef<HTMLTextAreaElement>(null)
  const offers = useTagOffers({ field, typed, taken: capture.tags, round, onTake: capture.change })
  const suggested = useSuggestedTags(capture, field)

  useEffect(() => {
    if (round < 0) return
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [round])

  function onKey(event: KeyboardEvent) {
    // While a word is composed, Enter is a part of the composition.
    if (event.nativeEvent.isComposing || offers.onKey(event) || suggested.onKey(event)) return
    if (event.key === 'Escape') return capture.close()
    if (latinKey(event.nativeEvent) === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return capture.find()
    }
    if (event.key !== 'Enter' || event.shiftKey || (event.target as Element).closest('button')) return
    event.preventDefault()
    void capture.save()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the window
    <div className="window" onKeyDown={onKey}>
      <h1 className="unseen">{t`Quick capture`}</h1>
      <div className="entry">
        {picture && <Thumb picture={picture} size={72} />}
        {capture.color && <span className="swatch" style={{ background: capture.color }} aria-hidden />}
        <textarea
          ref={field}
          // biome-ignore lint/a11y/noAutofocus: the window is this field
          autoFocus
          rows={3}
          aria-label={t`What to save`}
          {...offers.aria}
          placeholder={picture ? t`A title for the picture, and #tags` : t`An address, a color, or any text, and #tags`}
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            offers.update()
            capture.change(event.target.value)
          }}
          onSelect={offers.update}
          onPaste={(event) => {
            offers.onPaste(event)
            capture.paste(event)
          }}
        />
      </div>
      {capture.fields && <Fields fields={capture.fields} onChange={capture.changeFields} />}
      <TypeAndTags capture={capture} suggested={suggested} />
      <Foot capture={capture} />
      <TagOffers offers={offers} />
    </div>
  )
}

interface TypeAndTagsProps {
  capture: Capture
  suggested: ReturnType<typeof useSuggestedTags>
}

/** The choice of a type, and the tags. */
function TypeAndTags({ capture, suggested }: TypeAndTagsProps) {
  return (
    <div className="row">
      <fieldset aria-label={t`Type`}>
        {TYPES.map((type) => (
          <label key={type}>
            <input type="radio" name="type" checked={type === capture.type} onChange={() => capture.choose(type)} />
            {i18n._(TYPE_NAMES[type])}
          </label>
        ))}
      </fieldset>
      {/* Only for screen readers: the tags are visible in the field. */}
      <ul className="unseen" aria-label={t`Tags`}>
        {capture.tags.map((tag) => (
          <li key={tag}>#{tag}</li>
        ))}
      </ul>
      <SuggestedTags suggested={suggested} />
    </div>
  )
}

/** The outcome of saving, and the buttons. */
function Foot({ capture }: { capture: Capture }) {
  return (
    <div className="row foot">
      <OutcomeText
        outcome={capture.outcome}
        empty={capture.typed === ''}
        onOpen={capture.openBookmark}
        onUndo={() => void capture.undo()}
      />
      <button type="button" onClick={capture.close}>
        {t`Close`}
      </button>
      <button type="button" className="first" disabled={capture.saving} onClick={() => void capture.save()}>
        {t`Save`}
      </button>
    </div>
  )
}

interface FieldsProps {
  fields: { title: string; description: string }
  onChange(change: { title?: string; description?: string }): void
}

/** The title and the description that a link has set. */
function Fields({ fields, onChange }: FieldsProps) {
  return (
    <div className="fields">
      <input
        className="about"
        aria-label={t`Title`}
        placeholder={t`Title`}
        value={fields.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <input
        className="about"
        aria-label={t`Description`}
        placeholder={t`Description`}
        value={fields.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
    </div>
  )
}

/** Completions of the typed tag, above the lower part of the window. Tab takes the first, a click any of them. */
function TagOffers({ offers }: { offers: ReturnType<typeof useTagOffers> }) {
  const { tags, chosen } = offers
  return (
    <>
      <p className="unseen" aria-live="polite">
        {tags.length > 0 && t`${plural(tags.length, { one: '# tag', other: '# tags' })}, Tab takes the first`}
      </p>
      {tags.length > 0 && (
        <div id={LIST_ID} className="offers" role="listbox" aria-label={t`Tags you use`}>
          {tags.map((tag, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, and keeps the focus
            <div
              key={tag.name}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => offers.take([tag.name])}
            >
              <span className="name">#{tag.name}</span>
              <span className="count">{number(tag.bookmarks)}</span>
              {index === chosen && <kbd aria-hidden>Tab</kbd>}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

interface OutcomeTextProps {
  outcome: Outcome | undefined
  /** Whether nothing is typed. */
  empty: boolean
  onOpen(id: string): void
  onUndo(): void
}

/** The result of saving; before that, the keys of the window. */
function OutcomeText({ outcome, empty, onOpen, onUndo }: OutcomeTextProps) {
  if (outcome?.kind === 'problem') {
    return (
      <p className="said problem" role="alert">
        {outcome.message}
      </p>
    )
  }
  if (outcome) {
    const { id, createdAt, addedTags, undo } = outcome
    return (
      <p className="said" role="status">
        {t`Already saved on ${longDate(createdAt)}.`}{' '}
        {addedTags.length > 0 && `${t`Added ${addedTags.map((tag) => `#${tag}`).join(' ')}.`} `}
        {undo !== null && (
          <button type="button" className="link" onClick={onUndo}>
            {t`Undo`}
          </button>
        )}{' '}
        <button type="button" className="link" onClick={() => onOpen(id)}>
          {t`Open it`}
        </button>
      </p>
    )
  }
  return (
    <Keys
      keys={[
        ['Enter', t`saves`],
        [empty ? '/' : `${COMMAND} K`, t`finds`],
        ['Esc', t`closes`]
      ]}
    />
  )
}
