import { t } from '@lingui/core/macro'
import { ActionIcon, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { number } from '../../../lib/locale.ts'
import { foldText } from '../../../lib/match-names.ts'
import { IconChevronDown, IconChevronUp } from '../../../ui/icons/icons.ts'

/** Their look is in the reader's styles. */
const ALL = 'found'
const NOW = 'found-now'

/** Finds words in an element, marks them all and shows one after the other. `wanted` is empty for none. */
function useFind(box: RefObject<HTMLElement | null>, wanted: string) {
  const [ranges, setRanges] = useState<Range[]>([])
  const [now, setNow] = useState(0)

  useEffect(() => {
    const found = box.current ? rangesIn(box.current, wanted) : []
    setRanges(found)
    setNow(firstSeen(found))
  }, [box, wanted])

  useEffect(() => {
    const range = ranges[now]
    mark(ranges, range)
    if (range) show(range)
    return () => mark([], undefined)
  }, [ranges, now])

  return {
    count: ranges.length,
    now: ranges.length === 0 ? 0 : now + 1,
    /** Goes to another match, from the last to the first. */
    step: (by: 1 | -1) => setNow((at) => (ranges.length === 0 ? 0 : (at + by + ranges.length) % ranges.length))
  }
}

function rangesIn(box: HTMLElement, wanted: string): Range[] {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  const nodes: Node[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node)
  const matches = findInTexts(
    nodes.map((node) => node.nodeValue ?? ''),
    wanted
  )
  return matches.flatMap((match) => rangeOf(nodes, match))
}

function rangeOf(nodes: Node[], { from, to }: Match): Range[] {
  const first = nodes[from.text]
  const last = nodes[to.text]
  if (!first || !last) return []
  const range = new Range()
  range.setStart(first, from.at)
  range.setEnd(last, to.at)
  return [range]
}

/** The first that is not above what is seen. */
function firstSeen(ranges: Range[]): number {
  const at = ranges.findIndex((range) => range.getBoundingClientRect().top >= 0)
  return Math.max(at, 0)
}

/** Marks without touching the text; where the browser cannot, the one that is shown is selected. */
function mark(all: Range[], now: Range | undefined): void {
  if ('highlights' in CSS) {
    CSS.highlights.set(ALL, new Highlight(...all))
    CSS.highlights.set(NOW, new Highlight(...(now ? [now] : [])))
    return
  }
  const selection = getSelection()
  selection?.removeAllRanges()
  if (now) selection?.addRange(now)
}

function show(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect()
  if (top < 120 || bottom > innerHeight - 40) range.startContainer.parentElement?.scrollIntoView({ block: 'center' })
}

interface FindBarProps {
  /** The element that is searched. */
  box: RefObject<HTMLElement | null>
  field: RefObject<HTMLInputElement | null>
  onClose(): void
}

/** Finds words in the text that is read. */
export function FindBar({ box, field, onClose }: FindBarProps) {
  const [wanted, setWanted] = useState('')
  const { count, now, step } = useFind(box, wanted)

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

/** A match: where it begins and where it ends, each in one of the texts. */
interface Match {
  from: TextPlace
  to: TextPlace
}

interface TextPlace {
  text: number
  at: number
}

/** Maximum number of matches that are shown. */
export const MAX_MATCHES = 1000

/**
 * Finds what somebody types, whatever its case and its accents, in texts that follow each other; also across where one
 * ends and the next begins.
 */
export function findInTexts(texts: string[], wanted: string): Match[] {
  const folded = fold(wanted.trim())
  if (folded === '') return []
  const all = fold(texts.join(''))
  const place = placer(texts)
  const found: Match[] = []
  for (
    let at = all.indexOf(folded);
    at >= 0 && found.length < MAX_MATCHES;
    at = all.indexOf(folded, at + folded.length)
  ) {
    found.push({ from: place(at), to: place(at + folded.length - 1, 1) })
  }
  return found
}

/** Asked for places one after the other. */
function placer(texts: string[]): (at: number, after?: number) => TextPlace {
  let text = 0
  let start = 0
  return (at, after = 0) => {
    while (at >= start + (texts[text]?.length ?? Number.POSITIVE_INFINITY)) start += texts[text++]?.length ?? 0
    return { text, at: at - start + after }
  }
}

/** Folds a text whose line ends and other white space count as spaces. */
function fold(text: string): string {
  return foldText(text.replace(/\s/g, ' '))
}
