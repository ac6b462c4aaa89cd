import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageKey } from '../../src-main/core/page-key.ts'

test.for([
  ['https://a.example/x', 'https://a.example/x?utm_source=mail&utm_medium=email#top'],
  ['https://a.example/x', 'https://a.example/x?'],
  ['https://a.example/x', 'https://a.example/x#'],
  ['https://a.example/x', 'https://a.example/x#:~:text=some%20words'],
  ['https://a.example/x', 'https://A.Example:443/x'],
  ['http://a.example/', 'HTTP://a.example:80'],
  ['https://a.example/b', 'https://a.example/a/../b'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://a.example/日本', 'https://a.example/%E6%97%A5%E6%9C%AC'],
  ['https://a.example/?a=1&b=2', 'https://a.example/?b=2&a=1'],
  ['https://a.example/?q=two+words', 'https://a.example/?q=two%20words'],
  ['https://a.example/?id=7', 'https://a.example/?id=7&fbclid=IwAR0x&gclid=y&msclkid=z&igshid=w'],
  ['https://a.example/?id=7', 'https://a.example/?UTM_Source=X&id=7&mc_cid=1&mc_eid=2'],
  ['https://news.example/story', 'https://news.example/story?_hsenc=p2&_hsmi=7&mkt_tok=x&vero_id=1'],
  ['https://app.example/#/inbox', 'https://app.example/?utm_campaign=x#/inbox']
])('%s and %s are one page', ([one = '', other = '']) => {
  expect(pageKey(other)).toBe(pageKey(one))
})

test.for([
  ['https://a.example/x', 'https://a.example/X'],
  ['https://a.example/x', 'https://b.a.example/x'],
  ['https://a.example/', 'https://a.example:8443/'],
  ['https://www.youtube.com/watch?v=1', 'https://www.youtube.com/watch?v=2'],
  ['https://github.com/a/b?ref=main', 'https://github.com/a/b?ref=next'],
  ['https://shop.example/?utm=1', 'https://shop.example/?utm=2'],
  ['https://a.example/?source=1', 'https://a.example/?source=2'],
  ['https://a.example/?a=1&a=2', 'https://a.example/?a=2&a=1'],
  ['https://a.example/?q=a%26b', 'https://a.example/?q=a&b'],
  ['https://a.example/?q=', 'https://a.example/'],
  ['https://app.example/#/inbox', 'https://app.example/#/sent'],
  ['https://app.example/#!/inbox', 'https://app.example/#!/sent'],
  ['https://app.example/#/inbox', 'https://app.example/']
])('%s and %s are two pages', ([one = '', other = '']) => {
  expect(pageKey(other)).not.toBe(pageKey(one))
})

test('a page key is its own page key, whatever the address', () => {
  const address = fc.webUrl({ withFragments: true, withQueryParameters: true })
  fc.assert(
    fc.property(address, (url) => {
      expect(pageKey(pageKey(url))).toBe(pageKey(url))
    })
  )
})

test('what is no URL has no page key', () => {
  expect(() => pageKey('a.example/x')).toThrow(TypeError)
})
