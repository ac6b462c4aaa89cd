import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageKey } from '../../src-main/core/page-key.ts'

test.for([
  ['https://a.example/x', 'https://a.example/x?utm_source=mail&utm_medium=email#top'],
  ['https://a.example/x', 'https://a.example/x?'],
  ['https://a.example/x', 'https://a.example/x#'],
  ['https://a.example/x', 'https://a.example/x#:~:text=some%20words'],
  ['https://a.example/x', 'https://a.example/x#:~:text=this/that'],
  ['https://a.example/x', 'https://A.Example:443/x'],
  ['http://a.example/', 'HTTP://a.example:80'],
  ['https://a.example/b', 'https://a.example/a/../b'],
  ['https://a.example/x', 'https://a.example./x'],
  ['https://a.example/x', 'https://a.example/x/'],
  ['https://a.example/x?a=1', 'https://a.example/x/?a=1'],
  ['https://a.example/x', 'https://a.example/x//'],
  ['https://a.example/~user/caf%C3%A9', 'https://a.example/%7Euser/caf%c3%a9/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://a.example/日本', 'https://a.example/%E6%97%A5%E6%9C%AC'],
  ['https://a.example/?a=1&b=2', 'https://a.example/?b=2&a=1'],
  ['https://a.example/?q=two+words', 'https://a.example/?q=two%20words'],
  ['https://a.example/?id=7', 'https://a.example/?id=7&fbclid=IwAR0x&gclid=y&msclkid=z&igshid=w'],
  ['https://a.example/?id=7', 'https://a.example/?UTM_Source=X&id=7&mc_cid=1&mc_eid=2'],
  ['https://news.example/story', 'https://news.example/story?_hsenc=p2&_hsmi=7&mkt_tok=x&vero_id=1'],
  ['https://app.example/#/inbox', 'https://app.example/?utm_campaign=x#/inbox']
])('%s and %s are the same page', ([first = '', second = '']) => {
  expect(pageKey(second)).toBe(pageKey(first))
})

test.for([
  ['https://a.example/x', 'https://a.example/X'],
  ['https://a.example/x', 'https://b.a.example/x'],
  ['https://a.example/x', 'https://www.a.example/x'],
  ['https://a.example/x', 'http://a.example/x'],
  ['https://a.example/', 'https://a.example:8443/'],
  ['https://a.example/a%2Fb', 'https://a.example/a/b'],
  ['https://shop.example/?utm=1', 'https://shop.example/?utm=2'],
  ['https://a.example/?source=1', 'https://a.example/?source=2'],
  ['https://a.example/?a=1&a=2', 'https://a.example/?a=2&a=1'],
  ['https://a.example/?q=a%26b', 'https://a.example/?q=a&b'],
  ['https://a.example/?q=', 'https://a.example/'],
  ['https://app.example/#/inbox', 'https://app.example/#/sent'],
  ['https://app.example/#!/inbox', 'https://app.example/#!/sent'],
  ['https://app.example/#/inbox', 'https://app.example/'],
  ['https://mail.google.com/mail/u/0/#inbox/A', 'https://mail.google.com/mail/u/0/#inbox/B'],
  ['https://groups.google.com/forum/#!topic/a/b', 'https://groups.google.com/forum/#!topic/c/d'],
  ['https://groups.google.com/forum/#!forum/e', 'https://groups.google.com/forum/#!overview']
])('%s and %s are two pages', ([first = '', second = '']) => {
  expect(pageKey(second)).not.toBe(pageKey(first))
})

// Addresses as sites, newsletters and share buttons make them.
test.for([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&feature=share'],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube.com/watch?si=Ab3_x&v=dQw4w9WgXcQ&pp=ygU'],
  ['https://youtu.be/dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ?si=Ab3_x'],
  ['https://x.com/sqlite/status/1', 'https://x.com/sqlite/status/1?s=20&t=AbC'],
  ['https://twitter.com/sqlite/status/1', 'https://twitter.com/sqlite/status/1?ref_src=twsrc%5Etfw'],
  ['https://www.reddit.com/r/sqlite/comments/1/a', 'https://www.reddit.com/r/sqlite/comments/1/a/?share_id=x&rdt=4'],
  ['https://open.spotify.com/track/1', 'https://open.spotify.com/track/1?si=0a1b&nd=1'],
  ['https://medium.com/@ann/story-1', 'https://medium.com/@ann/story-1?source=rss----2#4bd1'],
  ['https://www.linkedin.com/in/ann', 'https://www.linkedin.com/in/ann/?trk=public_profile'],
  ['https://www.facebook.com/events/1', 'https://www.facebook.com/events/1/?__cft__[0]=AZ&__tn__=-UK-R'],
  ['https://www.tiktok.com/@a/video/1', 'https://www.tiktok.com/@a/video/1?is_from_webapp=1&sender_device=pc'],
  ['https://www.ebay.com/itm/1', 'https://www.ebay.com/itm/1?_trkparms=pageci&_trksid=p2380057'],
  ['https://www.amazon.com/dp/B0ABC', 'https://www.amazon.com/dp/B0ABC/ref=sr_1_3?qid=1700000000&sr=8-3&crid=1'],
  ['https://www.amazon.co.uk/gp/product/1', 'https://www.amazon.co.uk/gp/product/1?pd_rd_w=a&pf_rd_p=b&tag=x-21'],
  ['https://www.google.com/search?q=sqlite', 'https://www.google.com/search?q=sqlite&oq=sqlite&ved=2ah&sxsrf=x&aqs=c'],
  ['https://shop.example/p/1', 'https://shop.example/p/1?srsltid=A&_gl=1*a&gbraid=0A&igsh=M&spm=a&smid=tw&cmpid=x'],
  [
    'https://blog.example/post',
    'https://blog.example/post?mtm_campaign=a&pk_source=b&hsa_acc=1&at_custom1=link&guccounter=1'
  ],
  ['https://ya.example/a', 'https://ya.example/a?ysclid=l1&yclid=2&_openstat=3']
])('%s and %s are the same page on a known site', ([first = '', second = '']) => {
  expect(pageKey(second)).toBe(pageKey(first))
})

test.for([
  ['https://www.youtube.com/watch?v=1', 'https://www.youtube.com/watch?v=2'],
  ['https://www.youtube.com/watch?v=1', 'https://www.youtube.com/watch?v=1&t=90'],
  ['https://www.youtube.com/watch?v=1', 'https://www.youtube.com/watch?v=1&list=PL1'],
  ['https://www.youtube.com/watch?v=dQw4', 'https://www.youtube.com/watch?v=DQW4'],
  ['https://github.com/a/b?ref=main', 'https://github.com/a/b?ref=next'],
  ['https://www.amazon.com/dp/B0ABC?th=1', 'https://www.amazon.com/dp/B0ABC?th=2'],
  ['https://www.google.com/search?q=a', 'https://www.google.com/search?q=a&tbm=isch'],
  ['https://www.google.com/search?q=a', 'https://www.google.com/search?q=a&start=10'],
  ['https://medium.com/@ann/a-1', 'https://medium.com/@ann/a-1?sk=friend'],
  ['https://shop.example/list?s=20', 'https://shop.example/list?s=40'],
  ['https://shop.example/list?t=new', 'https://shop.example/list?t=old'],
  ['https://git.example/tree?tag=v1', 'https://git.example/tree?tag=v2'],
  ['https://git.example/ref=main', 'https://git.example/'],
  ['https://docs.example/?si=unit', 'https://docs.example/?si=other'],
  ['https://web.archive.org/web/2019/https://a.example/', 'https://web.archive.org/web/2020/https://a.example/'],
  ['https://notamazon.com/a?ref=1', 'https://notamazon.com/a?ref=2'],
  ['https://mail.google.com/mail/u/0/', 'https://mail.google.com/mail/u/1/']
])('%s and %s are two pages on a known site', ([first = '', second = '']) => {
  expect(pageKey(second)).not.toBe(pageKey(first))
})

test('the key of a page key is the same key', () => {
  const address = fc.webUrl({ withFragments: true, withQueryParameters: true })
  fc.assert(
    fc.property(address, fc.constantFrom('', '/', '//', '/ref=x/', '/%7e%2e', '/%2541'), (url, end) => {
      expect(pageKey(pageKey(url))).toBe(pageKey(url))
      const [page = '', ...rest] = url.split(/(?=[?#])/)
      const longer = [page, end, ...rest].join('')
      expect(pageKey(pageKey(longer))).toBe(pageKey(longer))
    })
  )
})

test('repeated tracking paths of Amazon are removed at once', () => {
  const key = pageKey('https://www.amazon.com/dp/B0/ref=a/ref=b')
  expect(pageKey(key)).toBe(key)
})

test('a text that is no URL throws a TypeError', () => {
  expect(() => pageKey('a.example/x')).toThrow(TypeError)
})

test('12,000 tracking parameters are removed in linear time', () => {
  const parameters = (count: number) =>
    Array.from({ length: count }, (_, index) => `utm_${index.toString(36)}=${index}`).join('&')
  const timeOf = (count: number) => {
    const address = `https://a.example/?b=2&${parameters(count)}&a=1`
    const before = process.cpuUsage()
    expect(pageKey(address)).toBe('https://a.example/?a=1&b=2')
    return process.cpuUsage(before).user
  }
  timeOf(1000)
  expect(timeOf(12_000)).toBeLessThan(1_000_000)
})
