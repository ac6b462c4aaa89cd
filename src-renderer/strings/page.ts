import type { PageFault } from '../../src-main/contract/page-details.ts'

const FAULTS = {
  address: 'its address is not one of the public web',
  redirects: 'it redirects too often',
  unreachable: 'its site was not reached',
  slow: 'it took too long',
  login: 'it wants you to log in',
  wall: 'it wants proof that a person is asking',
  refused: 'its site refuses to show it',
  gone: 'it is no longer there',
  busy: 'its site has troubles, or too many visitors',
  unreadable: 'what came could not be read'
} satisfies Record<PageFault, string>

/** What is known of a bookmark's page. */
export const page = {
  heading: 'Page details',
  pending: 'Page details are being fetched.',
  waiting: (fault: PageFault, when: string) => `Not fetched yet: ${FAULTS[fault]}. Next attempt ${when}.`,
  done: (when: string) => `Page details fetched ${when}.`,
  failed: (fault: PageFault) => `Page details could not be fetched: ${FAULTS[fault]}.`,
  off: 'Page details are not fetched: that is switched off.',
  again: 'Fetch again',
  read: 'Read',
  reader: 'Text of the page',
  readerNote: 'As it was when it was fetched',
  look: 'How texts look',
  letters: 'Letters',
  lettersOf: { sans: 'Sans', serif: 'Serif' },
  width: 'Width',
  widthOf: { narrow: 'Narrow', medium: 'Medium', wide: 'Wide' },
  smaller: 'Smaller letters',
  larger: 'Larger letters',
  table: 'Table',
  find: 'Find in this text',
  matches: (now: number, count: number, more: boolean) =>
    count === 0 ? 'Not found' : `${now} of ${count}${more ? ' or more' : ''}`,
  previous: 'Match before',
  next: 'Next match',
  closeFind: 'Close finding',
  published: (date: string) => `Published ${date}`,
  canonical: 'Its own address'
}
