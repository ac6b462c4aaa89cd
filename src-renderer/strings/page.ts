import type { PageFault, TextSource } from '../../src-main/contract/page-details.ts'
import { number } from './format.ts'

const FAULTS = {
  address: 'its address is not public',
  redirects: 'it redirects too often',
  unreachable: 'its site could not be reached',
  slow: 'it took too long',
  login: 'it requires a login',
  wall: 'it asks for proof that you are human',
  refused: 'its site refuses to show it',
  gone: 'it is no longer there',
  busy: 'its site has problems or is too busy',
  unreadable: 'its content could not be read',
  certificate: 'its site’s certificate is not valid',
  'certificate-incomplete': 'its site’s certificate is incomplete, or Earmark does not know its issuer',
  handshake: 'Earmark could not set up a secure connection to its site'
} satisfies Record<PageFault, string>

/** Texts about a bookmark's page. */
export const page = {
  heading: 'Page details',
  pending: 'Page details are being fetched.',
  waiting: (fault: PageFault, when: string) => `Not fetched yet: ${FAULTS[fault]}. Next attempt ${when}.`,
  done: (when: string) => `Page details fetched ${when}.`,
  failed: (fault: PageFault) => `Page details could not be fetched: ${FAULTS[fault]}.`,
  off: 'Fetching page details is turned off.',
  again: 'Fetch again',
  read: 'Read',
  reader: 'Text of the page',
  textFrom: {
    page: 'The page as it was when Earmark fetched it',
    tab: 'The page as your browser showed it',
    import: 'The text is kept from the import'
  } satisfies Record<TextSource, string>,
  look: 'Text appearance',
  letters: 'Font',
  lettersOf: { sans: 'Sans', serif: 'Serif' },
  width: 'Width',
  widthOf: { narrow: 'Narrow', medium: 'Medium', wide: 'Wide' },
  smaller: 'Smaller text',
  larger: 'Larger text',
  table: 'Table',
  page: (number: number) => `Page ${number}`,
  find: 'Find in this text',
  matches: (now: number, count: number, more: boolean) =>
    count === 0 ? 'Not found' : `${number(now)} of ${number(count)}${more ? ' or more' : ''}`,
  previous: 'Previous match',
  next: 'Next match',
  closeFind: 'Close search',
  published: (date: string) => `Published ${date}`,
  canonical: 'Its own address'
}
