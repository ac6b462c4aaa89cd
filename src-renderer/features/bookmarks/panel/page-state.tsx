import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useRef } from 'react'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { exactDate, longDate } from '../../../shared/dates.ts'
import { closeReader, openReader, useReading } from '../../../shared/opened.ts'
import { page as strings } from '../../../strings/page.ts'
import { IconBook } from '../../../ui/icons/icons.ts'
import { openable } from '../look.ts'
import type { Changes } from '../use-changes.ts'
import { FollowButton, LinkState } from './link-state.tsx'
import { usePage } from './use-page.ts'

const Reader = lazy(() => import('../reader/reader.tsx').then((file) => ({ default: file.Reader })))

type Page = NonNullable<ReturnType<typeof usePage>['data']>
type KnownPage = Exclude<Page, { status: 'none' }>

/** How it stands with a bookmark's page: what was fetched of it, or why nothing was. */
export function PageState({ bookmark, changes }: { bookmark: ShownBookmark; changes: Changes }) {
  const { id, url } = bookmark
  const { data: page } = usePage(id)
  const reading = useReading()
  const opener = useRef<HTMLButtonElement>(null)
  if (!page || !isKnown(page)) return null
  function close() {
    closeReader()
    opener.current?.focus()
  }
  const { siteName, publishedAt, canonicalUrl, language, textFrom } = page
  const own = canonicalUrl === url ? undefined : openable(canonicalUrl)
  const facts = [siteName, publishedAt && strings.published(longDate(publishedAt))].filter(Boolean).join(' · ')
  const kept = textFrom === 'import' ? ` ${strings.textFrom.import}.` : ''
  return (
    <Stack gap={6} mt="md" role="group" aria-label={strings.heading}>
      {facts && (
        <Text size="xs" c="dimmed">
          {facts}
        </Text>
      )}
      {own && (
        <Anchor href={own} target="_blank" rel="noreferrer" size="xs" truncate="end">
          {strings.canonical}: {own}
        </Anchor>
      )}
      <Text size="xs" c="dimmed" role="status">
        {pageText(page)}
        {kept}
      </Text>
      <LinkState link={page.link} url={url} />
      <Group gap="xs">
        {textFrom && (
          <Button
            ref={opener}
            size="compact-sm"
            variant="light"
            leftSection={<IconBook size={15} />}
            onClick={openReader}
          >
            {strings.read}
          </Button>
        )}
        <FollowButton id={id} link={page.link} changes={changes} />
      </Group>
      {reading && textFrom && (
        <Suspense>
          <Reader
            bookmark={bookmark}
            language={language}
            facts={[facts, strings.textFrom[textFrom]].filter(Boolean).join(' · ')}
            onClose={close}
          />
        </Suspense>
      )}
    </Stack>
  )
}

function isKnown(page: Page): page is KnownPage {
  return page.status !== 'none'
}

function pageText({ status, fault, due, readAt }: KnownPage): string {
  if (status === 'off') return strings.off
  if (status === 'pending') return fault && due ? strings.waiting(fault, exactDate(due)) : strings.pending
  if (status === 'failed' && fault) return strings.failed(fault)
  return readAt ? strings.done(longDate(readAt)) : ''
}
