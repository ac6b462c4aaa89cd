import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { type DataOf, pageOptions } from '../../../api/queries.ts'
import { exactDate, longDate } from '../../../lib/dates.ts'
import { closeReader, openReader, useReading } from '../../../lib/opened.ts'
import { linkChecks } from '../../../strings/links.ts'
import { page as strings } from '../../../strings/page.ts'
import { IconArrowRight, IconBook } from '../../../ui/icons/icons.ts'
import { openable } from '../look.ts'
import type { Changes } from '../use-changes.ts'

const Reader = lazy(() => import('../reader/reader.tsx').then((file) => ({ default: file.Reader })))

type Page = DataOf<ReturnType<typeof pageOptions>>
type KnownPage = Exclude<Page, { status: 'none' }>

/** How it stands with a bookmark's page: what was fetched of it, or why nothing was. */
export function PageState({ bookmark, changes }: { bookmark: ShownBookmark; changes: Changes }) {
  const { id, url } = bookmark
  const { data: page } = useQuery(pageOptions(id))
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

type Link = Exclude<DataOf<ReturnType<typeof pageOptions>>, { status: 'none' }>['link']

/** The copies that the Internet Archive keeps of an address, the newest first. Nothing is sent there until it is opened. */
const ARCHIVE = 'https://web.archive.org/web/'

/** Whether a bookmark's page is still there. */
function LinkState({ link, url }: { link: Link; url: string | null }) {
  const target = targetOf(link)
  if (target) {
    return (
      <Text size="xs" component="div">
        {linkChecks.movedTo}{' '}
        <Anchor href={target} target="_blank" rel="noreferrer" size="xs" style={{ overflowWrap: 'anywhere' }}>
          {target}
        </Anchor>
      </Text>
    )
  }
  const text = linkText(link)
  if (text === '') return null
  const isBroken = link.state === 'broken'
  return (
    <Text size="xs" component="div" {...(isBroken ? {} : { c: 'dimmed' })}>
      {isBroken ? <strong>{text}</strong> : text}
      {isBroken && url !== null && (
        <>
          {' '}
          <Anchor href={`${ARCHIVE}${url}`} target="_blank" rel="noreferrer" size="xs">
            {linkChecks.archived}
          </Anchor>
        </>
      )}
    </Text>
  )
}

interface FollowButtonProps {
  id: string
  link: Link
  changes: Changes
}

/** Gives a bookmark whose page moved its new address. */
function FollowButton({ id, link, changes }: FollowButtonProps) {
  if (!targetOf(link)) return null
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconArrowRight size={15} />}
      loading={changes.isPending}
      onClick={() => changes.follow({ ids: [id] })}
    >
      {linkChecks.follow}
    </Button>
  )
}

function targetOf({ state, movedTo }: Link): string | undefined {
  return state === 'moved' ? openable(movedTo) : undefined
}

function linkText({ state, fault, checkedAt }: Link): string {
  if (state === 'broken') return linkChecks.broken(fault)
  if (state === 'failing') return linkChecks.failingOne(fault)
  if (state === 'unclear') return linkChecks.unclearOne(fault)
  return state === 'ok' && checkedAt ? linkChecks.okay(longDate(checkedAt)) : ''
}
