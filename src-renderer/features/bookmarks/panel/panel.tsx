import { ActionIcon, Alert, CloseButton, Drawer, Group, Text, Title, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { copyText } from '../../../shared/copy-text.ts'
import { longDate } from '../../../shared/dates.ts'
import { hadLayerOver } from '../../../shared/layers.ts'
import { addressOf, openBookmark, usePanelFocus } from '../../../shared/opened.ts'
import { ApiProblem } from '../../../shared/request.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { IconExternalLink, IconLink } from '../../../ui/icons/icons.ts'
import { Loading } from '../../../ui/loading.tsx'
import { openable } from '../look.ts'
import type { Changes } from '../use-changes.ts'
import { bookmarkOptions } from './bookmark-options.ts'
import { Form } from './form.tsx'
import { PageState } from './page-state.tsx'
import classes from './panel.module.css'
import { Preview } from './preview.tsx'

interface PanelProps {
  id: string
  changes: Changes
  /** Called when it closes: what had the focus before gets it again. */
  onClose(): void
}

/** A bookmark to look at and to edit: beside the list, or over it where there is no room. */
export function Panel({ id, changes, onClose }: PanelProps) {
  const beside = useMediaQuery('(min-width: 70em)', true, { getInitialValueInEffect: false })
  function close() {
    openBookmark(undefined)
    onClose()
  }
  const content = <Content key={id} id={id} changes={changes} onClose={close} />
  if (!beside) {
    return (
      <Drawer
        opened
        onClose={close}
        // A dialog over it closes first: see below.
        closeOnEscape={false}
        position="right"
        size={420}
        withCloseButton={false}
        padding={0}
        attributes={{ content: { 'aria-label': strings.panel } }}
        returnFocus={false}
      >
        {content}
      </Drawer>
    )
  }
  return (
    <aside className={classes.panel} aria-label={strings.panel}>
      {content}
    </aside>
  )
}

function Content({ id, changes, onClose }: PanelProps) {
  const box = useRef<HTMLDivElement>(null)
  const { data: bookmark, error } = useQuery(bookmarkOptions(id))
  const address = openable(bookmark?.url ?? null)
  const ready = bookmark !== undefined
  const focusAsked = usePanelFocus()

  // Whoever opened it by a key goes on typing in it.
  useEffect(() => {
    if (ready && focusAsked > 0) box.current?.querySelector<HTMLElement>('[data-first-field]')?.focus()
  }, [ready, focusAsked])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    if (!hadLayerOver(event.nativeEvent, box.current)) onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes, wherever in the panel the focus is
    <div ref={box} className={classes.content} onKeyDown={onKeyDown}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h5">
          {bookmark ? strings.types[bookmark.type] : strings.panel}
        </Title>
        <Group gap={4} wrap="nowrap">
          {address && (
            <Tooltip label={strings.openNew}>
              <ActionIcon
                component="a"
                href={address}
                target="_blank"
                rel="noreferrer"
                variant="subtle"
                color="gray"
                aria-label={strings.openNew}
              >
                <IconExternalLink size={18} stroke={1.6} />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={strings.copyLink}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={strings.copyLink}
              onClick={() => copyText(addressOf(id))}
            >
              <IconLink size={18} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
          <CloseButton onClick={onClose} />
        </Group>
      </Group>
      {error && !bookmark && (
        <Alert color="gray" mt="md">
          {error instanceof ApiProblem && error.code === 'not-found' ? strings.gone : error.message}
        </Alert>
      )}
      {!bookmark && !error && <Loading />}
      {bookmark && (
        <>
          <Preview bookmark={bookmark} />
          {bookmark.deletedAt !== null && (
            <Text size="sm" c="dimmed" mb="sm">
              {strings.inTrashSince(longDate(bookmark.deletedAt))}
            </Text>
          )}
          {bookmark.deletedAt === null && (bookmark.type === 'link' || bookmark.type === 'image') && (
            <PageState bookmark={bookmark} changes={changes} />
          )}
          <Form bookmark={bookmark} changes={changes} onClose={onClose} />
        </>
      )}
    </div>
  )
}
