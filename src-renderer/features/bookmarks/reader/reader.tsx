import { t } from '@lingui/core/macro'
import { ActionIcon, Alert, Box, Button, CloseButton, Group, Modal, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReadingPlace } from '../../../../src-main/contract/bookmark-change.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import { pageTextOptions, textPicturesOptions } from '../../../api/queries.ts'
import { undoLatest } from '../../../api/undo.ts'
import { latinKey } from '../../../lib/keyboard.ts'
import { siteInLetters } from '../../../lib/labels.ts'
import { IconArchive, IconArrowRight, IconSearch, IconTypography } from '../../../ui/icons/icons.ts'
import { Loading } from '../../../ui/placeholders.tsx'
import { Picture } from '../list/cover.tsx'
import { OpenPage } from '../panel/tools.tsx'
import { FindBar } from './find.tsx'
import classes from './reader.module.css'
import { LookBar, useReadingLook } from './reading-look.tsx'
import { placeIn, showPlace, useSavedPlace } from './reading-place.ts'
import { type StoredPicture, StoredText } from './stored-text.tsx'

interface ReaderProps {
  bookmark: ShownBookmark
  /** Of the page, as it says. */
  language: string | null
  /** The article's site and date, and where its text is from. */
  facts: string
  /** On to the next text. */
  onNext(): void
  /** The same, when this one is archived. */
  onArchive: (() => void) | undefined
  onClose(): void
}

/** The text of a page as it is stored here, to be read: nothing of it is markup. Its pictures are the service's own copies. */
export function Reader({ bookmark, language, facts, onNext, onArchive, onClose }: ReaderProps) {
  const [finding, find] = useDisclosure(false)
  const [looking, look] = useDisclosure(false)
  const box = useRef<HTMLElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [resumed, setResumed] = useState(false)
  const savePlace = useSavedPlace(bookmark.id)
  const title = bookmark.title || t`Text of the page`

  function endFinding() {
    find.close()
    box.current?.focus()
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
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const key = latinKey(event.nativeEvent).toLowerCase()
    const command = (event.ctrlKey || event.metaKey) && !event.altKey
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isInField(event)
    if (command && key === 'f') startFinding()
    else if (command && key === 'z' && !event.shiftKey && !isInField(event)) void undoLatest()
    else if (isPlain && key === 'n' && !event.repeat) onNext()
    else if (isPlain && key === 'a' && !event.repeat && onArchive) onArchive()
    // Escape closes this, and not the panel it was opened from.
    else if (event.key === 'Escape') finding ? endFinding() : onClose()
    else if (!scrolls(event, box.current)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Modal.Root opened fullScreen onClose={onClose} closeOnEscape={false} onKeyDown={onKeyDown}>
      <Modal.Content aria-label={title} className={classes.sheet ?? ''}>
        <Stack
          component="header"
          gap="0.5rem"
          px="md"
          py="0.5rem"
          flex="none"
          style={{ borderBottom: '1px solid var(--earmark-line)' }}
        >
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" c="dimmed" truncate flex={1}>
              {siteInLetters(bookmark.domain ?? '')}
            </Text>
            {resumed && (
              <Button size="compact-xs" variant="subtle" color="gray" flex="none" onClick={toBeginning}>
                {t`From the beginning`}
              </Button>
            )}
            <Group gap={4} wrap="nowrap">
              <Tool label={t`Find in this text`} pressed={finding} onClick={finding ? endFinding : startFinding}>
                <IconSearch size={18} stroke={1.6} />
              </Tool>
              <Tool label={t`Text appearance`} pressed={looking} onClick={look.toggle}>
                <IconTypography size={18} stroke={1.6} />
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
          {finding && <FindBar box={text} field={field} onClose={endFinding} />}
        </Stack>
        <Article
          box={box}
          language={language}
          onScroll={() => box.current && text.current && savePlace(placeIn(box.current, text.current))}
        >
          <h1 dir="auto">{title}</h1>
          <Text size="xs" c="dimmed" lang="en" dir="ltr" mb="1.5rem">
            {facts}
          </Text>
          <Stored bookmark={bookmark} title={title} box={text} onShown={resume} />
        </Article>
      </Modal.Content>
    </Modal.Root>
  )
}

const NO_PICTURES: StoredPicture[] = []

interface StoredProps {
  bookmark: ShownBookmark
  title: string
  box: RefObject<HTMLDivElement | null>
  /** Called once its text is shown, with where somebody stopped reading it. */
  onShown(place: ReadingPlace | null): void
}

/** The text with its own pictures; where it has none, below the page's. */
function Stored({ bookmark: { id, preview }, title, box, onShown }: StoredProps) {
  const { data, error } = useQuery(pageTextOptions(id))
  const hasPictures = data?.isMarkdown === true && data.text.includes('![')
  const pictures = useQuery({ ...textPicturesOptions(id), enabled: hasPictures })
  const kept = pictures.data?.kept ?? NO_PICTURES
  const pending = pictures.isLoading || (pictures.data?.pending ?? false)
  const isShown = data !== undefined
  const start = useEffectEvent(() => data && onShown(data.place))
  useEffect(() => {
    if (isShown) start()
  }, [isShown])
  if (error) return <Alert color="red">{error.message}</Alert>
  if (!data) return <Loading />
  const shown = kept.length > 0 || pending ? null : preview
  return (
    <>
      {shown && <Picture name={shown} className={classes.picture ?? ''} />}
      <div ref={box}>
        <StoredText id={id} text={data.text} isMarkdown={data.isMarkdown} title={title} pictures={kept} />
      </div>
    </>
  )
}

interface ArticleProps {
  box: RefObject<HTMLElement | null>
  language: string | null
  onScroll(): void
  children: ReactNode
}

/** Widths of the column of text. */
const COLUMNS = { narrow: '52ch', medium: '66ch', wide: '88ch' }

/** It has the focus at first, so that the keys that scroll do. */
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
  /** Of one that shows something: whether it does. */
  pressed?: boolean
  onClick(): void
  children: ReactNode
}

function Tool({ label, pressed, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? undefined : 'gray'}
        aria-label={label}
        aria-expanded={pressed}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** Scrolls as the keys say, wherever but in a field the focus is. */
function scrolls(event: KeyboardEvent, box: HTMLElement | null): boolean {
  const { shiftKey, ctrlKey, metaKey, altKey, target } = event
  const key = latinKey(event.nativeEvent)
  if (!box || ctrlKey || metaKey || altKey || isInField(event)) return false
  const page = box.clientHeight * 0.9
  const isButton = (target as Element).closest('button, a, label') !== null
  const top = key === 'j' ? LINE : key === 'k' ? -LINE : key === ' ' && !isButton ? (shiftKey ? -page : page) : 0
  box.scrollBy({ top })
  return top !== 0
}

const isInField = ({ target }: KeyboardEvent) => (target as Element).closest('input') !== null

/** How far j and k go, in pixels. */
const LINE = 90

function isRightToLeft(language: string | null): boolean {
  return /^(ar|arc|ckb|dv|fa|he|iw|ji|ks|ku-arab|nqo|pnb|ps|sd|syr|ug|ur|yi)\b/i.test(language ?? '')
}
