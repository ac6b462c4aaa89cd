import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LinkFault } from '../../../../src-main/contract/link-check.ts'
import type { PageFault } from '../../../../src-main/contract/page-details.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import { type DataOf, pageOptions } from '../../../api/queries.ts'
import { exactDate, longDate } from '../../../lib/dates.ts'
import { openable } from '../../../lib/labels.ts'
import { i18n } from '../../../lib/locale.ts'
import { IconArrowRight } from '../../../ui/icons/icons.ts'
import type { Changes } from '../use-changes.ts'
import { CopyState } from './copy-state.tsx'

type Page = DataOf<ReturnType<typeof pageOptions>>
type KnownPage = Exclude<Page, { status: 'none' }>

/** The site and the date of an article. */
export function siteFacts({ siteName, publishedAt }: KnownPage): string[] {
  return [siteName, publishedAt ? t`Published ${longDate(publishedAt)}` : ''].filter((fact) => fact !== '')
}

/** The details of a bookmark's page, or why they could not be fetched, and the result of the last link check. */
export function PageState({ bookmark, changes }: { bookmark: ShownBookmark; changes: Changes }) {
  const { id, url } = bookmark
  const { data: page } = useQuery(pageOptions(id))
  if (!page || !isKnown(page)) return null
  const canonicalUrl = page.canonicalUrl === url ? undefined : openable(page.canonicalUrl)
  const facts = siteFacts(page).join(' · ')
  const source = page.textFrom === 'import' ? ` ${t`The text is kept from the import.`}` : ''
  return (
    <Stack gap={6} mt="md" role="group" aria-label={t`Page details`}>
      {facts && (
        <Text size="xs" c="dimmed">
          {facts}
        </Text>
      )}
      {canonicalUrl && (
        <Anchor href={canonicalUrl} target="_blank" rel="noreferrer" size="xs" truncate="end">
          {t`Its own address`}: {canonicalUrl}
        </Anchor>
      )}
      <Text size="xs" c="dimmed" role="status">
        {pageText(page)}
        {source}
      </Text>
      <LinkState link={page.link} url={url} />
      <FollowButton id={id} link={page.link} changes={changes} />
      {page.copy && <CopyState bookmark={bookmark} copy={page.copy} />}
    </Stack>
  )
}

export function isKnown(page: Page): page is KnownPage {
  return page.status !== 'none'
}

function pageText({ status, fault, due, readAt }: KnownPage): string {
  if (status === 'off') return t`Fetching page details is turned off.`
  if (status === 'pending')
    return fault && due
      ? t`Not fetched yet: ${i18n._(PAGE_FAULTS[fault])}. Next attempt ${exactDate(due)}.`
      : t`Fetching title and text …`
  if (status === 'failed' && fault === 'address') return t`Not fetched: this is a local address.`
  if (status === 'failed' && fault) return t`Page details could not be fetched: ${i18n._(PAGE_FAULTS[fault])}.`
  return readAt ? t`Page details fetched ${longDate(readAt)}.` : ''
}

type Link = Exclude<DataOf<ReturnType<typeof pageOptions>>, { status: 'none' }>['link']

/** The Internet Archive's newest copy of an address that follows. Nothing is sent there before the link is opened. */
const ARCHIVE = 'https://web.archive.org/web/'

/** The result of the last link check. */
function LinkState({ link, url }: { link: Link; url: string | null }) {
  const target = targetOf(link)
  if (target) {
    return (
      <Text size="xs" component="div">
        {t`This page moved to`}{' '}
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
            {t`Look for a copy in the Wayback Machine`}
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

/** Changes the address of a bookmark whose page has moved. */
function FollowButton({ id, link, changes }: FollowButtonProps) {
  if (!targetOf(link)) return null
  return (
    <Button
      w="fit-content"
      size="compact-sm"
      variant="light"
      leftSection={<IconArrowRight size={15} />}
      loading={changes.isPending}
      onClick={() => changes.follow({ ids: [id] })}
    >
      {t`Use the new address`}
    </Button>
  )
}

function targetOf({ state, movedTo }: Link): string | undefined {
  return state === 'moved' ? openable(movedTo) : undefined
}

function linkText({ state, fault, checkedAt }: Link): string {
  const why = fault === null ? '' : `: ${i18n._(LINK_FAULTS[fault])}`
  if (state === 'broken') return t`This link is broken${why}.`
  if (state === 'failing') return t`This link failed once${why}. It will be checked again later.`
  if (state === 'unclear') return t`It is unclear whether the page still exists${why}.`
  return state === 'ok' && checkedAt ? t`Link checked ${longDate(checkedAt)}: the page is there.` : ''
}

/** Why page details could not be fetched. */
const PAGE_FAULTS = {
  address: msg`this is a local address`,
  redirects: msg`it redirects too often`,
  unreachable: msg`its site could not be reached`,
  slow: msg`it took too long`,
  login: msg`it requires a login`,
  wall: msg`it asks for proof that you are human`,
  refused: msg`its site refuses to show it`,
  gone: msg`it is no longer there`,
  busy: msg`its site has problems or is too busy`,
  unreadable: msg`its content could not be read`,
  certificate: msg`its site’s certificate is not valid`,
  'certificate-incomplete': msg`its site’s certificate is incomplete, or Earmark does not know its issuer`,
  handshake: msg`Earmark could not set up a secure connection to its site`
} satisfies Record<PageFault, MessageDescriptor>

/** The faults of links. Some have other words than those of pages. */
const LINK_FAULTS = {
  ...PAGE_FAULTS,
  slow: msg`its site took too long`,
  login: msg`its site requires a login`,
  wall: msg`its site asks for proof that you are human`,
  gone: msg`the page is no longer there`,
  'no-host': msg`the site no longer exists`,
  'no-answer': msg`its site does not answer`,
  'front-page': msg`it leads to its site’s front page`
} satisfies Record<LinkFault, MessageDescriptor>
