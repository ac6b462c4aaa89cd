import { t } from '@lingui/core/macro'
import { ActionIcon, Box, Button, Group, Popover, Textarea, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks'
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import { HIGHLIGHT_LIMITS } from '../../../../src-main/contract/bookmark.ts'
import type { ShownHighlight } from '../../../api/highlights.ts'
import { copyText } from '../../../ui/copy.ts'
import { IconCopy, IconNote, IconTrash } from '../../../ui/icons/icons.ts'
import { ColorButtons } from '../highlights/highlight-parts.tsx'
import type { ReaderHighlights } from './highlights.ts'

/** Pause in typing before a note is saved, in ms. */
const PAUSE_MS = 500

interface CardProps {
  highlight: ShownHighlight
  changes: ReaderHighlights['changes']
  isForNote?: boolean | undefined
  onDeleted(): void
}

/** Changes the color and the note of a highlight. */
export function HighlightCard({ highlight, changes, isForNote, onDeleted }: CardProps) {
  const [note, setNote] = useState(highlight.note)
  // Changes of the note with the same id are undone together.
  const [typingId] = useState(() => crypto.randomUUID())
  const saveNote = useDebouncedCallback(
    () => note.trim() !== highlight.note && changes.save({ ...highlight, note: note.trim() }, typingId),
    { delay: PAUSE_MS, flushOnUnmount: true }
  )
  function remove() {
    saveNote.cancel()
    changes.remove(highlight)
    onDeleted()
  }
  return (
    <>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <ColorButtons
          chosen={highlight.color}
          onChoose={(color) => changes.save({ ...highlight, note: note.trim(), color }, `color ${color}`)}
        />
        <Group gap={2} wrap="nowrap">
          <Tooltip label={t`Copy`}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Copy`}
              onClick={() => void copyText(highlight.quote)}
            >
              <IconCopy size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t`Delete`}>
            <ActionIcon variant="subtle" color="gray" aria-label={t`Delete`} onClick={remove}>
              <IconTrash size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Textarea
        autosize
        minRows={1}
        maxRows={8}
        data-autofocus={isForNote || undefined}
        aria-label={t`Note`}
        placeholder={t`Add a note`}
        maxLength={HIGHLIGHT_LIMITS.note}
        value={note}
        onChange={(event) => {
          setNote(event.currentTarget.value)
          saveNote()
        }}
      />
    </>
  )
}

interface BesideTextProps {
  highlights: ReaderHighlights
  /** The element that scrolls the text. */
  article: RefObject<HTMLElement | null>
  /** The element of the whole reader. */
  sheet: RefObject<HTMLElement | null>
}

/** A popover at the text: the colors for the selected text, or the card of the open highlight. */
export function BesideText({ highlights, article, sheet }: BesideTextProps) {
  const { selected, opened, isForNote, changes, highlight } = highlights
  const shared = { article, sheet, onClose: close }
  function focusText() {
    article.current?.focus({ preventScroll: true })
  }
  function close() {
    highlights.close()
    focusText()
  }
  return (
    <>
      {selected && (
        <Beside {...shared} key={selected.start} range={selected.range}>
          {/* Pressing a button must not clear the selection. */}
          <Group gap="xs" wrap="nowrap" onMouseDown={(event) => event.preventDefault()}>
            <ColorButtons
              onChoose={(color) => {
                highlight(color)
                focusText()
              }}
            />
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconNote size={16} stroke={1.6} />}
              onClick={() => highlight(undefined, true)}
            >
              {t`Note`}
            </Button>
          </Group>
        </Beside>
      )}
      {opened?.place && (
        <Beside {...shared} key={opened.highlight.id} range={opened.place.range} takesFocus>
          <HighlightCard highlight={opened.highlight} changes={changes} isForNote={isForNote} onDeleted={close} />
        </Beside>
      )}
    </>
  )
}

interface BesideProps extends Omit<BesideTextProps, 'highlights'> {
  range: Range
  takesFocus?: boolean
  onClose(): void
  children: ReactNode
}

/** A popover at a part of the text. */
function Beside({ range, article, sheet, takesFocus = false, onClose, children }: BesideProps) {
  const [place, setPlace] = useState<{ left: number; top: number }>()
  const update = useCallback(() => {
    const box = article.current
    if (!box) return
    const line =
      [...range.getClientRects()].findLast(({ bottom }) => bottom < innerHeight) ?? range.getBoundingClientRect()
    const { left, top } = box.getBoundingClientRect()
    setPlace({ left: (line.left + line.right) / 2 - left + box.scrollLeft, top: line.top - top + box.scrollTop })
  }, [article, range])
  useLayoutEffect(update, [update])
  useWindowEvent('resize', update)
  if (!place) return null
  return (
    <Popover
      opened
      position="bottom"
      shadow="md"
      withArrow
      withRoles={false}
      trapFocus={takesFocus}
      closeOnClickOutside={takesFocus}
      onDismiss={onClose}
      portalProps={sheet.current ? { target: sheet.current } : {}}
    >
      <Popover.Target>
        <Box pos="absolute" w={1} h="1.6em" style={{ ...place, pointerEvents: 'none' }} />
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={t`Highlight`}
        p="xs"
        w={takesFocus ? 300 : undefined}
        maw="calc(100vw - 1rem)"
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
