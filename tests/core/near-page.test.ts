import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearPage, nearPageHash, pageKey } from '../../src-main/core/page-key.ts'

test.for([
  ['https://www.rust-lang.org/learn', 'http://rust-lang.org/learn/'],
  ['https://a.example/', 'https://www.a.example/index.html'],
  ['https://a.example/docs', 'http://a.example/docs/index.php'],
  ['https://a.example/docs', 'https://a.example/docs/Default.aspx'],
  ['https://wiki.example/?title=Main', 'https://wiki.example/index.php?title=Main'],
  ['https://a.example/x', 'https://www.a.example/x/?utm_source=feed#part'],
  ['https://app.example/#/inbox', 'https://www.app.example/#/inbox/']
])('%s and %s are near each other', ([first = '', second = '']) => {
  expect(pageKey(second)).not.toBe(pageKey(first))
  expect(nearPage(second)).toBe(nearPage(first))
  expect(nearPageHash(pageKey(second))).toBe(nearPageHash(pageKey(first)))
})

test.for([
  ['https://a.example/x', 'https://a.example/y'],
  ['https://a.example/', 'https://b.example/'],
  ['https://www2.a.example/', 'https://a.example/'],
  ['https://m.a.example/', 'https://a.example/'],
  ['https://a.example:8080/', 'https://a.example/'],
  ['https://a.example/index', 'https://a.example/'],
  ['https://a.example/myindex.html', 'https://a.example/'],
  ['https://a.example/index.html/x', 'https://a.example/x'],
  ['https://a.example/?p=1', 'https://a.example/?p=2'],
  ['https://app.example/#/inbox', 'https://app.example/#/sent']
])('%s and %s are not near each other', ([first = '', second = '']) => {
  expect(nearPage(second)).not.toBe(nearPage(first))
  expect(nearPageHash(pageKey(second))).not.toBe(nearPageHash(pageKey(first)))
})

test('a page is near its own page key, and its hash is a safe integer', () => {
  const address = fc.webUrl({ withFragments: true, withQueryParameters: true })
  fc.assert(
    fc.property(address, (url) => {
      expect(nearPage(pageKey(url))).toBe(nearPage(url))
      expect(nearPageHash(pageKey(url))).toSatisfy(Number.isSafeInteger)
    })
  )
})

test('a bookmark without a page is near no page', () => {
  expect(nearPageHash(null)).toBeNull()
})

test('an address of 400,000 slashes is read in linear time', () => {
  const slashes = '/'.repeat(200_000)
  expect(nearPage(`https://a.example${slashes}x${slashes}index.html${slashes}`)).toBe(`a.example${slashes}x`)
})
