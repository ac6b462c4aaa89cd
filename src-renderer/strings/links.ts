import type { LinkFault, LinkMark } from '../../src-main/contract/link-check.ts'
import { counted, number, plural } from './format.ts'

const links = (count: number) => counted(count, { one: 'link', other: 'links' })

const FAULTS = {
  address: 'its address is not public',
  redirects: 'it redirects too often',
  unreachable: 'its site could not be reached',
  slow: 'its site took too long',
  login: 'its site requires a login',
  wall: 'its site asks for proof that you are human',
  refused: 'its site refuses to show it',
  gone: 'the page is no longer there',
  busy: 'its site has problems or is too busy',
  unreadable: 'its content could not be read',
  'no-host': 'the site no longer exists',
  'no-answer': 'its site does not answer',
  certificate: 'its site’s certificate is not valid',
  'certificate-incomplete': 'its site’s certificate is incomplete, or Earmark does not know its issuer',
  handshake: 'Earmark could not set up a secure connection to its site',
  'front-page': 'it leads to its site’s front page'
} satisfies Record<LinkFault, string>

/** Whether the pages of bookmarks are still there. */
export const linkChecks = {
  title: 'Links',
  text:
    'About once a month, while it is idle, Earmark checks whether your pages still exist. Links that are ' +
    'broken or have moved are marked. Find them with is:broken and is:moved.',
  link: 'Link',
  anyLink: 'Any link',
  marks: { broken: 'Broken', moved: 'Moved' } satisfies Record<LinkMark, string>,
  unchecked: (count: number) => `${links(count)} not checked yet`,
  places: { broken: 'Broken links', moved: 'Moved pages' } satisfies Record<LinkMark, string>,
  check: 'Check links',
  checkAll: 'Check all links',
  checkOne: 'Check link',
  begun: 'Checking links in the background.',
  show: 'Show',
  stop: 'Stop',
  progress: 'Links checked',
  checked: (done: number, total: number) => `${number(done)} of ${links(total)} checked`,
  pausedOff: 'Turn page details on in Settings to continue.',
  pausedOffline: 'It continues when you are online.',
  off: 'Links are not checked while fetching page details is off.',
  ended: (when: string, checked: number) => `Last check ${when}: ${links(checked)}.`,
  stopped: (when: string, checked: number) => `Last check ${when}, stopped after ${links(checked)}.`,
  found: (broken: number, moved: number) => `${number(broken)} broken, ${number(moved)} moved.`,
  failing: (count: number) =>
    `${number(count)} failed and ${plural(count, { one: 'is', other: 'are' })} checked again before being marked as broken.`,
  unclear: (count: number) => `${number(count)} gave no clear answer.`,
  done: (checked: number, broken: number, moved: number) =>
    `${links(checked)} checked: ${number(broken)} broken, ${number(moved)} moved.`,
  failed: 'The state of the links could not be loaded.',
  broken: (fault: LinkFault | null) => `This link is broken${fault === null ? '' : `: ${FAULTS[fault]}`}.`,
  failingOne: (fault: LinkFault | null) =>
    `This link failed once${fault === null ? '' : `: ${FAULTS[fault]}`}. It will be checked again later.`,
  unclearOne: (fault: LinkFault | null) =>
    `It is unclear whether the page still exists${fault === null ? '' : `: ${FAULTS[fault]}`}.`,
  okay: (when: string) => `Link checked ${when}: the page is there.`,
  archived: 'Look for a copy in the Wayback Machine',
  movedTo: 'This page moved to',
  follow: 'Use the new address',
  followAll: 'Use new addresses',
  followed: (count: number) => `${counted(count, { one: 'bookmark has', other: 'bookmarks have' })} the new address.`,
  taken: 'Its new address is saved already. Merge the two under Duplicates.'
}
