import { t } from '@lingui/core/macro'
import { ActionIcon, Box, Button, CloseButton, Group, Modal, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState
} from 'react'
import type { ReadingPlace } from '../../../../src-main/contract/bookmark-change.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import { undoLatest } from '../../../api/undo.ts'
import { latinKey } from '../../../lib/keyboard.ts'
import { siteInLetters } from '../../../lib/labels.ts'
import { number } from '../../../lib/locale.ts'
import { IconArchive, IconArrowRight, IconHighlight, IconSearch, IconTypography } from '../../../ui/icons/icons.ts'
import { OpenPage } from '../panel/tools.tsx'
import { FindBar } from './find.tsx'
import { BesideText } from './highlight-card.tsx'
import { HighlightList } from './highlight-list.tsx'
import { useReaderHighlights } from './highlights.ts'
import classes from './reader.module.css'
import { LookBar, useReadingLook } from './reading-look.tsx'
import { placeIn, showPlace, useSavedPlace } from './reading-place.ts'
import type { ShownText } from './shown-text.ts'
import { PageText } from './stored-text.tsx'

interface ReaderProps {
  bookmark: ShownBookmark
  /** The language that the page declares. */
  language: string | null
  /** The site and the date of the article, its reading time, and the source of its text. */
  facts: string
  /** The id of the highlight to show first; by default the text opens at the reading place. */
  highlight: string | undefined
  /** Opens the next text. */
  onNext(): void
  /** Archives the bookmark and opens the next text; `undefined` in the trash. */
  onArchive: (() => void) | undefined
  onClose(): void
}

/** Shows the stored text of a page. It has no HTML of the page, and its pictures are copies from the service. */
export function Reader({ bookmark, language, facts, highlight, onNext, onArchive, onClose }: ReaderProps) {
  const [finding, find] = useDisclosure(false)
  const [looking, look] = useDisclosure(false)
  const box = useRef<HTMLElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const [resumed, setResumed] = useState(false)
  const [shown, setShown] = useState<ShownText>()
  const [listing, list] = useDisclosure(false)
  const highlights = useReaderHighlights(bookmark, shown)
  const savePlace = useSavedPlace(bookmark.id)
  const title = bookmark.title || t`Text of the page`

  const openHighlight = useEffectEvent(() => highlight !== undefined && highlights.open(highlight))
  useEffect(() => {
    if (highlights.isReady) openHighlight()
  }, [highlights.isReady])
  function focusText() {
    box.current?.focus({ preventScroll: true })
  }
  function endFinding() {
    find.close()
    focusText()
  }
  function endListing() {
    list.close()
    focusText()
  }
  function startFinding() {
    find.open()
    field.current?.select()
  }
  function resume(place: ReadingPlace | null) {
    setResumed(place !== null)
    if (place && box.current && text.current) showPlace(box.current, text.current, place)
  }
  function toBeginning() {
    setResumed(false)
    box.current?.scrollTo({ top: 0 })
    box.current?.focus()
  }
  function onTextClick({ target, clientX, clientY }: MouseEvent) {
    if (getSelection()?.isCollapsed !== false && !(target as Element).closest('a')) highlights.openAt(clientX, clientY)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const key = latinKey(event.nativeEvent).toLowerCase()
    const command = (event.ctrlKey || event.metaKey) && !event.altKey
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isInField(event)
    if (command && key === 'f') startFinding()
    else if (command && key === 'z' && !event.shiftKey && !isInField(event)) void undoLatest()
    else if (isPlain && key === 'n' && !event.repeat) onNext()
    else if (isPlain && key === 'a' && !event.repeat && onArchive) onArchive()
    else if (isPlain && key === 'h' && !event.repeat) highlights.highlight()
    // Each Escape closes one part, the last one the reader, but not the panel from which it was opened.
    else if (event.key === 'Escape')
      highlights.close() ? focusText() : finding ? endFinding() : listing ? endListing() : onClose()
    else if (!scrolls(event, box.current)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Modal.Root opened fullScreen onClose={onClose} closeOnEscape={false} onKeyDown={onKeyDown}>
      <Modal.Content ref={sheet} aria-label={title} className={classes.sheet ?? ''}>
        <Stack
          component="header"
          gap="0.5rem"
          px="md"
          py="0.5rem"
          flex="none"
          style={{ borderBottom: '1px solid var(--earmark-line)' }}
        >
          <Group justify="space-between" gap="0 md">
            <Text size="sm" c="dimmed" truncate flex="1 1 4rem">
              {siteInLetters(bookmark.domain ?? '')}
            </Text>
            {resumed && (
              <Button size="compact-xs" variant="subtle" color="gray" flex="none" onClick={toBeginning}>
                {t`From the beginning`}
              </Button>
            )}
            <Group gap={4} wrap="nowrap" ms="auto">
              <Tool label={t`Find in this text`} pressed={finding} onClick={finding ? endFinding : startFinding}>
                <IconSearch size={18} stroke={1.6} />
              </Tool>
              <Tool label={t`Text appearance`} pressed={looking} onClick={look.toggle}>
                <IconTypography size={18} stroke={1.6} />
              </Tool>
              <Tool
                label={t`Highlights`}
                pressed={listing}
                count={highlights.placed.length}
                onClick={listing ? endListing : list.open}
              >
                <IconHighlight size={18} stroke={1.6} />
              </Tool>
              {onArchive && (
                <Tool label={t`Archive and read on`} onClick={onArchive}>
                  <IconArchive size={18} stroke={1.6} />
                </Tool>
              )}
              <Tool label={t`Next text`} onClick={onNext}>
                <IconArrowRight size={18} stroke={1.6} />
              </Tool>
              <OpenPage bookmark={bookmark} />
              <CloseButton onClick={onClose} />
            </Group>
          </Group>
          {looking && <LookBar />}
          {finding && <FindBar shown={shown} field={field} onClose={endFinding} />}
        </Stack>
        <div className={classes.page}>
          <Article
            box={box}
            language={language}
            onScroll={() => box.current && text.current && savePlace(placeIn(box.current, text.current))}
          >
            <h1 dir="auto">{title}</h1>
            <Text size="xs" c="dimmed" lang="en" dir="ltr" mb="1.5rem">
              {facts}
            </Text>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the list opens highlights by keyboard */}
            <div onClick={onTextClick}>
              <PageText bookmark={bookmark} title={title} box={text} onShown={resume} onText={setShown} />
            </div>
            <BesideText highlights={highlights} article={box} sheet={sheet} />
          </Article>
          {listing && <HighlightList highlights={highlights} onClose={endListing} />}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

interface ArticleProps {
  box: RefObject<HTMLElement | null>
  language: string | null
  onScroll(): void
  children: ReactNode
}

const COLUMNS = { narrow: '52ch', medium: '66ch', wide: '88ch' }

/** The scrollable text. It has the focus first, so that keys scroll it. */
function Article({ box, language, onScroll, children }: ArticleProps) {
  const [{ width, size, letters }] = useReadingLook()
  useEffect(() => box.current?.focus({ preventScroll: true }), [box])
  return (
    <article
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
      tabIndex={0}
      data-autofocus
      className={classes.article}
      onScroll={onScroll}
      data-letters={letters}
      style={{ fontSize: `${size / 16}rem` }}
      aria-label={t`Text of the page`}
      lang={language ?? undefined}
      dir={isRightToLeft(language) ? 'rtl' : undefined}
    >
      <Box maw={COLUMNS[width]} mx="auto" px="1.25rem" pt="2rem" pb="6rem">
        {children}
      </Box>
    </article>
  )
}

interface ToolProps {
  label: string
  /** Whether the part that the button opens is shown; `undefined` if it opens none. */
  pressed?: boolean
  /** A number after the icon; not shown if it is 0. */
  count?: number
  onClick(): void
  children: ReactNode
}

function Tool({ label, pressed, count = 0, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        w={count > 0 ? 'auto' : undefined}
        px={count > 0 ? 5 : undefined}
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? undefined : 'gray'}
        aria-label={count > 0 ? `${label}: ${number(count)}` : label}
        aria-expanded={pressed}
        onClick={onClick}
      >
        {children}
        {count > 0 && (
          <Text component="span" size="xs" ms={3}>
            {number(count)}
          </Text>
        )}
      </ActionIcon>
    </Tooltip>
  )
}

/** Scrolls by J, K and Space, unless a field has the focus. @returns whether the key scrolls */
function scrolls(event: KeyboardEvent, box: HTMLElement | null): boolean {
  const { shiftKey, ctrlKey, metaKey, altKey, target } = event
  const key = latinKey(event.nativeEvent)
  if (!box || ctrlKey || metaKey || altKey || isInField(event)) return false
  const page = box.clientHeight * 0.9
  const isButton = (target as Element).closest('button, a, label') !== null
  const top =
    key === 'j' ? SCROLL_PX : key === 'k' ? -SCROLL_PX : key === ' ' && !isButton ? (shiftKey ? -page : page) : 0
  box.scrollBy({ top })
  return top !== 0
}

const isInField = ({ target }: KeyboardEvent) => (target as Element).closest('input, textarea') !== null

/** By how much J and K scroll, in pixels. */
const SCROLL_PX = 90

function isRightToLeft(language: string | null): boolean {
  return /^(ar|arc|ckb|dv|fa|he|iw|ji|ks|ku-arab|nqo|pnb|ps|sd|syr|ug|ur|yi)\b/i.test(language ?? '')
}
