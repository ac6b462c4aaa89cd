import { t } from '@lingui/core/macro'
import { ActionIcon, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { number } from '../../../lib/locale.ts'
import { foldText } from '../../../lib/match-names.ts'
import { IconChevronDown, IconChevronUp } from '../../../ui/icons/icons.ts'
import type { Span } from './find-quote.ts'
import { type ShownText, showRange } from './shown-text.ts'

/** Names of CSS highlights; reader.module.css has their styles. */
const ALL_MATCHES = 'found'
const CURRENT_MATCH = 'found-now'

/** Finds words in a text, marks all matches and shows one of them. */
function useFind(shown: ShownText | undefined, words: string) {
  const [ranges, setRanges] = useState<Range[]>([])
  const [index, setIndex] = useState(0)

  useEffect(() => {
    const matches = shown ? findInText(shown.text, words).flatMap(shown.rangeOf) : []
    setRanges(matches)
    setIndex(firstVisible(matches))
  }, [shown, words])

  useEffect(() => {
    const range = ranges[index]
    mark(ranges, range)
    if (range) showRange(range)
    return () => mark([], undefined)
  }, [ranges, index])

  return {
    count: ranges.length,
    now: ranges.length === 0 ? 0 : index + 1,
    range: ranges[index],
    /** Goes to another match, around both ends. */
    step: (by: 1 | -1) => setIndex((at) => (ranges.length === 0 ? 0 : (at + by + ranges.length) % ranges.length))
  }
}

/** Returns the index of the first match that is not above the visible part. */
function firstVisible(ranges: Range[]): number {
  const index = ranges.findIndex((range) => range.getBoundingClientRect().top >= 0)
  return Math.max(index, 0)
}

/** Marks matches without changing the text. A browser that cannot do that selects the current match. */
function mark(all: Range[], current: Range | undefined): void {
  if ('highlights' in CSS) {
    // The priorities put them above the owner's highlights.
    CSS.highlights.set(ALL_MATCHES, Object.assign(new Highlight(...all), { priority: 1 }))
    CSS.highlights.set(CURRENT_MATCH, Object.assign(new Highlight(...(current ? [current] : [])), { priority: 2 }))
    return
  }
  select(current)
}

/** Selects a part of the page, or nothing. */
function select(range: Range | undefined): void {
  const selection = getSelection()
  selection?.removeAllRanges()
  if (range) selection?.addRange(range)
}

interface FindBarProps {
  /** The text to search; `undefined` until it is shown. */
  shown: ShownText | undefined
  field: RefObject<HTMLInputElement | null>
  onClose(): void
}

/** A field that finds words in the reader's text. */
export function FindBar({ shown, field, onClose }: FindBarProps) {
  const [words, setWords] = useState('')
  const { count, now, range, step } = useFind(shown, words)

  // When the bar closes, the current match is selected, as in browsers, so that H can highlight it.
  const selectCurrent = useEffectEvent(() => select(range))
  useEffect(() => () => selectCurrent(), [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  }
  return (
    <Group gap={6} wrap="nowrap" role="search" aria-label={t`Find in this text`}>
      <TextInput
        ref={field}
        size="xs"
        flex={1}
        maw={320}
        autoFocus
        data-autofocus
        aria-label={t`Find in this text`}
        placeholder={t`Find in this text`}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Text size="xs" c="dimmed" role="status" style={{ whiteSpace: 'nowrap' }}>
        {words.trim() !== '' &&
          (count === 0
            ? t`Not found`
            : count < MAX_MATCHES
              ? t`${number(now)} of ${number(count)}`
              : t`${number(now)} of ${number(count)} or more`)}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t`Previous match`}
        disabled={count === 0}
        onClick={() => step(-1)}
      >
        <IconChevronUp size={18} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t`Next match`}
        disabled={count === 0}
        onClick={() => step(1)}
      >
        <IconChevronDown size={18} />
      </ActionIcon>
      <CloseButton size="sm" aria-label={t`Close search`} onClick={onClose} />
    </Group>
  )
}

export const MAX_MATCHES = 1000

/** Finds typed words in a text. Case and accents make no difference. */
export function findInText(text: string, words: string): Span[] {
  const folded = fold(words.trim())
  if (folded === '') return []
  const foldedText = fold(text)
  const matches: Span[] = []
  for (
    let start = foldedText.indexOf(folded);
    start >= 0 && matches.length < MAX_MATCHES;
    start = foldedText.indexOf(folded, start + folded.length)
  ) {
    matches.push({ start, end: start + folded.length })
  }
  return matches
}

/** Folds a text. Line ends and other white space become spaces. */
function fold(text: string): string {
  return foldText(text.replace(/\s/g, ' '))
}
