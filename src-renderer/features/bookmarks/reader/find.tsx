import { t } from '@lingui/core/macro'
import { ActionIcon, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { number } from '../../../lib/locale.ts'
import { foldText } from '../../../lib/match-names.ts'
import { IconChevronDown, IconChevronUp } from '../../../ui/icons/icons.ts'
import type { Span } from './find-quote.ts'
import { type ShownText, showRange } from './shown-text.ts'

/** Their look is in the reader's styles. */
const ALL = 'found'
const NOW = 'found-now'

/** Finds words in a text, marks them all and shows one after the other. `wanted` is empty for none. */
function useFind(shown: ShownText | undefined, wanted: string) {
  const [ranges, setRanges] = useState<Range[]>([])
  const [now, setNow] = useState(0)

  useEffect(() => {
    const found = shown ? findInText(shown.text, wanted).flatMap(shown.rangeOf) : []
    setRanges(found)
    setNow(firstSeen(found))
  }, [shown, wanted])

  useEffect(() => {
    const range = ranges[now]
    mark(ranges, range)
    if (range) showRange(range)
    return () => mark([], undefined)
  }, [ranges, now])

  return {
    count: ranges.length,
    now: ranges.length === 0 ? 0 : now + 1,
    range: ranges[now],
    /** Goes to another match, from the last to the first. */
    step: (by: 1 | -1) => setNow((at) => (ranges.length === 0 ? 0 : (at + by + ranges.length) % ranges.length))
  }
}

/** The first that is not above what is seen. */
function firstSeen(ranges: Range[]): number {
  const at = ranges.findIndex((range) => range.getBoundingClientRect().top >= 0)
  return Math.max(at, 0)
}

/** Marks without touching the text; where the browser cannot, the one that is shown is selected. */
function mark(all: Range[], now: Range | undefined): void {
  if ('highlights' in CSS) {
    // Above the reader's own highlights.
    CSS.highlights.set(ALL, Object.assign(new Highlight(...all), { priority: 1 }))
    CSS.highlights.set(NOW, Object.assign(new Highlight(...(now ? [now] : [])), { priority: 2 }))
    return
  }
  select(now)
}

/** Selects a part of the page instead of what is selected. */
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

/** Finds words in the text that is read. */
export function FindBar({ shown, field, onClose }: FindBarProps) {
  const [wanted, setWanted] = useState('')
  const { count, now, range, step } = useFind(shown, wanted)

  // As in browsers, so that it can be highlighted by keys.
  const selectNow = useEffectEvent(() => select(range))
  useEffect(() => () => selectNow(), [])

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
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Text size="xs" c="dimmed" role="status" style={{ whiteSpace: 'nowrap' }}>
        {wanted.trim() !== '' &&
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

/** Maximum number of matches that are shown. */
export const MAX_MATCHES = 1000

/** Finds what somebody types, whatever its case and its accents. */
export function findInText(text: string, wanted: string): Span[] {
  const folded = fold(wanted.trim())
  if (folded === '') return []
  const all = fold(text)
  const found: Span[] = []
  for (
    let start = all.indexOf(folded);
    start >= 0 && found.length < MAX_MATCHES;
    start = all.indexOf(folded, start + folded.length)
  ) {
    found.push({ start, end: start + folded.length })
  }
  return found
}

/** Folds a text whose line ends and other white space count as spaces. */
function fold(text: string): string {
  return foldText(text.replace(/\s/g, ' '))
}
