import { Anchor, Button, Text } from '@mantine/core'
import { longDate } from '../../../shared/dates.ts'
import { linkChecks as strings } from '../../../strings/links.ts'
import { IconArrowRight } from '../../../ui/icons/icons.ts'
import { openable } from '../look.ts'
import type { Changes } from '../use-changes.ts'
import type { usePage } from './use-page.ts'

type Link = Exclude<NonNullable<ReturnType<typeof usePage>['data']>, { status: 'none' }>['link']

/** The copies that the Internet Archive keeps of an address, the newest first. Nothing is sent there until it is opened. */
const ARCHIVE = 'https://web.archive.org/web/'

/** Whether a bookmark's page is still there. */
export function LinkState({ link, url }: { link: Link; url: string | null }) {
  const target = targetOf(link)
  if (target) {
    return (
      <Text size="xs" component="div">
        {strings.movedTo}{' '}
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
            {strings.archived}
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
export function FollowButton({ id, link, changes }: FollowButtonProps) {
  if (!targetOf(link)) return null
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconArrowRight size={15} />}
      loading={changes.isPending}
      onClick={() => changes.follow({ ids: [id] })}
    >
      {strings.follow}
    </Button>
  )
}

function targetOf({ state, movedTo }: Link): string | undefined {
  return state === 'moved' ? openable(movedTo) : undefined
}

function linkText({ state, fault, checkedAt }: Link): string {
  if (state === 'broken') return strings.broken(fault)
  if (state === 'failing') return strings.failingOne(fault)
  if (state === 'unclear') return strings.unclearOne(fault)
  return state === 'ok' && checkedAt ? strings.okay(longDate(checkedAt)) : ''
}
