import { expect, test } from 'vitest'
import type { LinkFault, LinkReading, LinkVerdict } from '../../src-main/contract/link-check.ts'
import { judgeLink, RETRY_MS } from '../../src-main/core/judge-link.ts'

const URL = 'https://a.example/story/7'
const HOUR = 3_600_000

/** The verdict after several checks of a link at these hours. */
function judged(...checks: [hour: number, reading: LinkReading][]): LinkVerdict {
  const last = checks.reduce<LinkVerdict | null>(
    (before, [hour, reading]) => judgeLink(URL, before, reading, hour * HOUR),
    null
  )
  if (!last) throw new Error('nothing was checked')
  return last
}

const here: LinkReading = { movedTo: null }
const moved = (movedTo: string): LinkReading => ({ movedTo })
const failed = (fault: LinkFault): LinkReading => ({ fault })

test('a page that answers is ok, whatever it was before', () => {
  const well = { state: 'ok', fault: null, movedTo: null, failingSince: null }
  expect(judged([0, here])).toEqual(well)
  expect(judged([0, failed('gone')], [1, here])).toEqual(well)
  expect(judged([0, moved('https://b.example/x')], [1, here])).toEqual(well)
})

test('a page that is gone is broken at once', () => {
  expect(judged([0, failed('gone')])).toMatchObject({ state: 'broken', fault: 'gone' })
})

test.for(['no-host', 'no-answer', 'certificate'] as const)(
  'a link with the fault %s is broken after the second failure',
  (fault) => {
    expect(judged([0, failed(fault)])).toMatchObject({ state: 'failing', fault, failingSince: 0 })
    expect(judged([0, failed(fault)], [RETRY_MS / HOUR, failed(fault)])).toMatchObject({ state: 'broken', fault })
  }
)

test('failures less than six hours apart count as one', () => {
  expect(judged([0, failed('no-host')], [1, failed('no-host')])).toMatchObject({ state: 'failing', failingSince: 0 })
  expect(judged([0, failed('no-host')], [1, failed('no-answer')], [13, failed('no-host')]).state).toBe('broken')
})

test('a failure after a success starts again', () => {
  expect(judged([0, failed('no-host')], [13, here], [14, failed('no-host')])).toMatchObject({
    state: 'failing',
    failingSince: 14 * HOUR
  })
})

test.for([
  'address',
  'unreachable',
  'slow',
  'login',
  'wall',
  'refused',
  'busy',
  'unreadable',
  'redirects',
  'certificate-incomplete',
  'handshake'
] as const)('the fault %s changes no earlier verdict about the page', (fault) => {
  expect(judged([0, failed(fault)], [100, failed(fault)])).toMatchObject({ state: 'unclear', fault })
  expect(judged([0, failed('gone')], [100, failed(fault)])).toMatchObject({ state: 'broken', fault: 'gone' })
  expect(judged([0, moved('https://b.example/x')], [100, failed(fault)])).toMatchObject({
    state: 'moved',
    movedTo: 'https://b.example/x'
  })
})

test('a verdict of an older version for an unclear fault becomes unclear', () => {
  const before: LinkVerdict = { state: 'broken', fault: 'redirects', movedTo: null, failingSince: 0 }
  expect(judgeLink(URL, before, failed('redirects'), 100 * HOUR)).toMatchObject({
    state: 'unclear',
    fault: 'redirects'
  })
})

test('a broken link shows the latest fault', () => {
  expect(judged([0, failed('gone')], [1, failed('no-host')])).toMatchObject({ state: 'broken', fault: 'no-host' })
})

test('a redirect to another page is a move, unless only the scheme, www. or tracking differs', () => {
  expect(judged([0, moved('https://b.example/story/7')])).toMatchObject({
    state: 'moved',
    movedTo: 'https://b.example/story/7'
  })
  for (const same of ['http://www.a.example/story/7/', `${URL}?utm_source=x#top`]) {
    expect(judged([0, moved(same)]).state).toBe('ok')
  }
})

test('a page named by its fragment stays the same page under another scheme', () => {
  const route = 'http://app.example/#/inbox/7'
  expect(judgeLink(route, null, moved('https://app.example/#/inbox/7'), 0).state).toBe('ok')
})

test('a redirect to a front page is unclear, not a move', () => {
  for (const front of ['https://a.example/', 'https://b.example/en/', 'https://b.example/de-AT']) {
    expect(judged([0, moved(front)])).toMatchObject({ state: 'unclear', fault: 'front-page', movedTo: null })
  }
  expect(judgeLink('https://a.example/', null, moved('https://b.example/'), 0)).toMatchObject({ state: 'moved' })
  expect(judged([0, moved('https://b.example/?p=7')]).state).toBe('moved')
})
