import { t } from '@lingui/core/macro'
import { Alert, Box, Button, CloseButton, Drawer, Group, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { ApiProblem, type ShownBookmark } from '../../../api/client.ts'
import { bookmarkOptions, findInLists, relatedOptions } from '../../../api/queries.ts'
import { longDate } from '../../../lib/dates.ts'
import { siteLabel, titleOf } from '../../../lib/labels.ts'
import { openBookmark, usePanelFocus } from '../../../lib/opened.ts'
import { Edge, useWidth } from '../../../ui/edge.tsx'
import { Loading } from '../../../ui/placeholders.tsx'
import { PanelHighlights } from '../highlights/panel-highlights.tsx'
import type { List } from '../list/use-list.ts'
import { ReadButton } from '../reader/read-button.tsx'
import type { Changes } from '../use-changes.ts'
import { Form } from './form.tsx'
import { PageState } from './page-state.tsx'
import classes from './panel.module.css'
import { Preview } from './preview.tsx'
import { hasPage, OpenButton, Tools } from './tools.tsx'

interface PanelProps {
  id: string
  /** The list that it was opened from. */
  list: List
  changes: Changes
  /** Called when the panel closes, to return the focus. */
  onClose(): void
}

const WIDTHS = { usual: 400, min: 320, max: 640 }

/** Shows a bookmark and edits it: beside the list, or above it in a narrow window. */
export function Panel({ id, list, changes, onClose }: PanelProps) {
  const edge = useWidth('earmark-panel-width', WIDTHS)
  const beside = useMediaQuery('(min-width: 70em)', true, { getInitialValueInEffect: false })
  function close() {
    openBookmark(undefined)
    onClose()
  }
  const content = <Content key={id} id={id} list={list} changes={changes} onClose={close} />
  if (!beside) {
    return (
      <Drawer
        opened
        onClose={close}
        // `Content` handles Escape, because a dialog above the panel must close first.
        closeOnEscape={false}
        position="right"
        size={420}
        withCloseButton={false}
        padding={0}
        attributes={{ content: { 'aria-label': t`Bookmark` } }}
        returnFocus={false}
      >
        {content}
      </Drawer>
    )
  }
  return (
    <aside className={classes.panel} style={{ width: edge.width }} aria-label={t`Bookmark`}>
      <Edge label={t`Width of the panel`} side="start" {...edge} />
      <Box h="100%" style={{ overflowY: 'auto' }}>
        {content}
      </Box>
    </aside>
  )
}

function Content({ id, list, changes, onClose }: PanelProps) {
  const box = useRef<HTMLDivElement>(null)
  const { data, error } = useQuery(bookmarkOptions(id))
  // If the service stopped before it answered, the fields stay, with everything that was typed.
  const bookmark = data ?? (error instanceof ApiProblem ? undefined : findInLists(id))
  const ready = bookmark !== undefined
  const focusRequests = usePanelFocus()

  // A panel that was opened by a key gets the focus.
  useEffect(() => {
    if (ready && focusRequests > 0) box.current?.querySelector<HTMLElement>('[data-first-field]')?.focus()
  }, [ready, focusRequests])

  // Each Escape closes one layer. Open layers are listed before one of them handles the key.
  const layers = useRef<Element[]>([])
  const updateLayers = (event: Event) => {
    layers.current = listLayers(event)
  }
  useWindowEvent('keydown', updateLayers, { capture: true })
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    if (layers.current.every((layer) => layer.contains(box.current))) onClose()
  }
  return (
    <Box ref={box} px="1.25rem" pt="0.75rem" pb="2rem" onKeyDown={onKeyDown}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Group gap={6} wrap="nowrap">
          {bookmark && <OpenButton bookmark={bookmark} />}
          {bookmark && hasPage(bookmark) && <ReadButton bookmark={bookmark} list={list} changes={changes} />}
        </Group>
        <Group gap={2} wrap="nowrap">
          {bookmark && <Tools bookmark={bookmark} changes={changes} onRemoved={onClose} />}
          <CloseButton onClick={onClose} />
        </Group>
      </Group>
      {error && !bookmark && (
        <Alert color="gray" mt="md">
          {error instanceof ApiProblem && error.code === 'not-found'
            ? t`This bookmark is no longer there.`
            : error.message}
        </Alert>
      )}
      {!bookmark && !error && <Loading />}
      {bookmark && <Details bookmark={bookmark} changes={changes} />}
    </Box>
  )
}

interface DetailsProps {
  bookmark: ShownBookmark
  changes: Changes
}

/** The preview of a bookmark, its fields, the state of its page, its highlights and related bookmarks. */
function Details({ bookmark, changes }: DetailsProps) {
  const { id, type, deletedAt } = bookmark
  return (
    <>
      <Preview bookmark={bookmark} />
      {deletedAt !== null && (
        <Group justify="space-between" wrap="nowrap" mb="xs">
          <Text size="sm" c="dimmed">
            {t`In the trash since ${longDate(deletedAt)}`}
          </Text>
          <Button size="compact-sm" variant="light" onClick={() => changes.restore({ ids: [id] }, titleOf(bookmark))}>
            {t`Restore`}
          </Button>
        </Group>
      )}
      <Form bookmark={bookmark} />
      {deletedAt === null && hasPage(bookmark) && <PageState bookmark={bookmark} changes={changes} />}
      <PanelHighlights bookmark={bookmark} />
      {deletedAt === null && type !== 'color' && <Related id={id} />}
    </>
  )
}

/** Buttons that open the most similar bookmarks. */
function Related({ id }: { id: string }) {
  const { data } = useQuery(relatedOptions(id))
  if (!data || data.bookmarks.length === 0) return null
  return (
    <section aria-labelledby="related">
      <Text component="h2" id="related" size="xs" fw={500} c="dimmed" mt="lg" mb={4}>
        {t`Related`}
      </Text>
      {data.bookmarks.map((bookmark) => (
        <UnstyledButton
          key={bookmark.id}
          className={classes.line ?? ''}
          w="calc(100% + 1rem)"
          mx="-0.5rem"
          onClick={() => openBookmark(bookmark.id)}
        >
          <Text component="span" size="sm" truncate miw={0}>
            {titleOf(bookmark)}
          </Text>
          <Text component="span" size="xs" c="dimmed" truncate flex="none" maw="40%">
            {siteLabel(bookmark)}
          </Text>
        </UnstyledButton>
      ))}
    </section>
  )
}

/** Parts that open above a page or a panel, and close before it. */
const LAYERS = '[role="dialog"], [role="menu"]'

/** Lists the open layers when a key is pressed. A closed listbox may be in the document, so its field is checked. */
function listLayers({ target }: Event): Element[] {
  const field = (target as Element).closest?.('[role="combobox"], [aria-haspopup="listbox"]')
  const fields = field?.getAttribute('aria-expanded') === 'true' ? [field] : []
  return [...fields, ...document.querySelectorAll(LAYERS)]
}
