import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS } from '../../src-main/contract/bookmark.ts'
import {
  addressOf,
  addressWords,
  fileName,
  holdsLogin,
  parseAddress,
  parseMentioned,
  readSite,
  toDomain
} from '../../src-main/core/address.ts'

test.for([
  ['https://www.example.com/a?b=c#d', 'https://www.example.com/a?b=c#d', 'example.com'],
  ['  https://example.com\n', 'https://example.com/', 'example.com'],
  ['HTTP://EXAMPLE.COM./x', 'http://example.com./x', 'example.com'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['http://[::1]:3000/x', 'http://[::1]:3000/x', '[::1]'],
  ['http://localhost:3000/x', 'http://localhost:3000/x', 'localhost'],
  ['https://a.example/100%', 'https://a.example/100%', 'a.example'],
  ['https://a.example/a%20b', 'https://a.example/a%20b', 'a.example'],
  ['https://a.example/日本', 'https://a.example/%E6%97%A5%E6%9C%AC', 'a.example']
])('%s is saved as %s under the domain %s', ([text = '', url, domain]) => {
  expect(parseAddress(text)).toMatchObject({ url, domain })
})

test.for([
  ['www.example.com', 'https://www.example.com/'],
  [' example.com/x?y#z ', 'https://example.com/x?y#z'],
  ['//example.com/x', 'https://example.com/x'],
  ['example.com:8080/x', 'https://example.com:8080/x'],
  ['www.bücher.example', 'https://www.xn--bcher-kva.example/'],
  ['हिन्दी.भारत', 'https://xn--j2bd4cyah0f.xn--h2brj9c/'],
  ['www.example.md', 'https://www.example.md/'],
  ['EXAMPLE.COM', 'https://example.com/'],
  ['docs.rs/serde', 'https://docs.rs/serde'],
  ['a.example/x,y', 'https://a.example/x,y'],
  ['a.example/?next=https://b.example/', 'https://a.example/?next=https://b.example/']
])('%j gets the scheme https: %s', ([text = '', url]) => {
  expect(parseAddress(text)).toMatchObject({ url })
  expect(parseMentioned(text)).toMatchObject({ url })
})

test('a user name and password are removed from an address', () => {
  for (const text of ['https://ann:pass@a.example/x', 'https://ann@a.example/x', ' http://:pass@a.example/x ']) {
    const url = `${text.trim().split('//')[0]}//a.example/x`
    expect(parseAddress(text)).toMatchObject({ url, pageKey: url, domain: 'a.example' })
    expect(holdsLogin(text)).toBe(true)
  }
  for (const text of ['https://a.example/@ann:x', 'https://a.example/?to=ann@b.example', 'ann@a.example', '']) {
    expect(holdsLogin(text)).toBe(false)
  }
})

test.for([
  ['', 'empty'],
  [' \n\t ', 'empty'],
  ['localhost:3000/x', 'not a URL: send http://localhost:3000/x'],
  ['192.168.1.1', 'not a URL: send http://192.168.1.1'],
  ['[::1]:3000/', 'not a URL: send http://[::1]:3000/'],
  ['printer.local/x', 'not a URL: send http://printer.local/x'],
  ['example.com.', 'not a URL: send https://example.com'],
  ['README.md', 'not a URL: it must start with http:// or https://'],
  ['file.txt', 'not a URL: it must start with http:// or https://'],
  ['Mr.Smith', 'not a URL: it must start with http:// or https://'],
  ['1.2.3', 'not a URL: it must start with http:// or https://'],
  ['a@b.example', 'not a URL: it must start with http:// or https://'],
  ['node:fs', 'node: cannot be saved, only http and https'],
  ['two words', 'not a URL: it must start with http:// or https://'],
  ['java\nscript:alert(1)', 'not a URL: it must start with http:// or https://'],
  ['\0javascript:alert(1)', 'not a URL: it must start with http:// or https://'],
  ['javascript:alert(1)', 'javascript: cannot be saved, only http and https'],
  ['data:text/html,hello', 'data: cannot be saved, only http and https'],
  ['file:///etc/passwd', 'file: cannot be saved, only http and https'],
  ['https://', 'not a valid URL'],
  ['https://a.example:99999/', 'not a valid URL'],
  ['http://999.999.999.999/', 'not a valid URL']
])('%j is refused: %s', ([text = '', fault]) => {
  expect(parseAddress(text)).toMatchObject({ fault })
})

const SEVERAL = 'several URLs in one string: send a list'

test.for([
  ['https://a.example/x https://b.example/y', SEVERAL],
  ['https://a.example/x,https://b.example/y', SEVERAL],
  ['https://a.example/?v=1;https://a.example/?v=2', SEVERAL],
  ['https://a.example/x\nhttps://b.example/y', SEVERAL],
  ['https://a.example/x\r\nhttp://b.example/y\thttps://c.example/z', SEVERAL],
  ['https://a.example/x | https://b.example/y', SEVERAL],
  ['- https://a.example/x\n- https://b.example/y', SEVERAL],
  ['www.a.example www.b.example', SEVERAL],
  ['a.example/x,b.example/y', SEVERAL],
  ['a.example, https://b.example/y', SEVERAL],
  ['["https://a.example/x", "https://b.example/y"]', SEVERAL],
  ['[one](https://a.example/x) and [two](https://b.example/y)', SEVERAL],
  ['<https://a.example/x>', 'not a URL by itself: send https://a.example/x'],
  ['[text](https://a.example/x)', 'not a URL by itself: send https://a.example/x'],
  ['[text](https://a.example/x_(y))', 'not a URL by itself: send https://a.example/x_(y)'],
  ['"https://a.example/x"', 'not a URL by itself: send https://a.example/x'],
  ['see https://a.example/x.', 'not a URL by itself: send https://a.example/x'],
  ['URL: https://a.example/x', 'not a URL by itself: send https://a.example/x'],
  [`<https://a.example/${'x'.repeat(300)}>`, 'not a URL by itself: send the URL alone'],
  [
    'https://a.example/x and more',
    'white space inside the URL: send what stands before it, or write %20 for each space'
  ],
  ['https://a b.example/', 'white space inside the URL: send what stands before it, or write %20 for each space'],
  ['https://a.example/x\ny', 'white space inside the URL: send what stands before it, or write %20 for each space'],
  ['https://a.example/x\u0000y', 'a control character inside the URL: leave it out'],
  ["javascript:open('https://a.example/')", 'javascript: cannot be saved, only http and https']
])('%j is refused: %s', ([text = '', fault]) => {
  expect(parseAddress(text)).toMatchObject({ fault })
  expect(parseMentioned(text)).toMatchObject({ fault })
})

test.for([
  'https://web.archive.example/2020/https://a.example/x',
  'https://a.example/?next=https://b.example/',
  'https://a.example/w_300,h_200/https://b.example/x.jpg',
  'https://a.example/x,y;z',
  'https://a.example/x_(y)',
  'https://a.example/[x]',
  'http://[::1]/',
  'https://a.example/?'
])('%s is accepted whole', (text) => {
  expect(parseMentioned(text)).toMatchObject({ url: text })
})

test.for([
  ['https://a.example/x.', '.'],
  ['https://a.example/x).', ').'],
  ['https://a.example/x,', ','],
  ['https://a.example/x;', ';'],
  ['https://a.example/x)', ')'],
  ['https://a.example/x">.', '">.'],
  ['https://a.example/x`', '`']
])('punctuation after %s is refused for agents, with the address to send', ([text = '', trail = '']) => {
  const fault = `ends in ${trail}: send https://a.example/x, or add # at the end if that is part of the URL`
  expect(parseMentioned(text)).toMatchObject({ fault })
  expect(parseMentioned(`${text}#`)).toMatchObject({ url: new URL(text).href })
  expect(parseAddress(text)).toMatchObject({ url: new URL(text).href })
})

test('an address that a URL parser wrote is read without checks of its text', () => {
  expect(addressOf('https://a.example/x,https://b.example/y')).toMatchObject({ domain: 'a.example' })
  expect(addressOf('')).toMatchObject({ fault: 'not a valid URL' })
  expect(addressOf('mailto:a@b.example')).toEqual({ fault: 'mailto: cannot be saved, only http and https' })
})

test('a long text of separators is refused in time', () => {
  for (const piece of [',', ')', '(', 'https://', ',https://a', '](']) {
    const text = `https://a.example/${piece.repeat(8000 / piece.length)}`
    const before = process.cpuUsage()
    parseMentioned(text)
    expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  }
})

test('an address longer than the limit is refused, also if only its encoding is', () => {
  const longest = `https://a.example/${'x'.repeat(LIMITS.url - 'https://a.example/'.length)}`
  expect(parseAddress(longest)).toMatchObject({ url: longest })
  for (const text of [`${longest}x`, `https://a.example/${'日'.repeat(2000)}`]) {
    expect(parseAddress(text)).toEqual({ fault: `longer than ${LIMITS.url} characters` })
  }
})

test('any text is read without an error, and an accepted address is ASCII on http or https', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((rest) => `https://a.example/${rest}`)
  )
  fc.assert(
    fc.property(text, (input) => {
      const address = parseAddress(input)
      if ('url' in address) expect(address.url).toMatch(/^https?:\/\/[!-~]+$/)
      else expect(address.fault).not.toBe('')
      expect(readSite(input)).toBeTypeOf('string')
    }),
    { numRuns: 500 }
  )
})

test.for([
  ['github.com', 'github.com'],
  ['GitHub.com', 'github.com'],
  ['https://www.github.com/x?y#z', 'github.com'],
  ['www.github.com', 'github.com'],
  ['*.github.com', 'github.com'],
  ['.github.com', 'github.com'],
  ['github.com:443', 'github.com'],
  ['github.com/x', 'github.com'],
  ['github.com.', 'github.com'],
  ['https://someone@github.com/', 'github.com'],
  ['  github.com ', 'github.com'],
  ['gist.github.com', 'gist.github.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['http://[::1]:3000/', '[::1]'],
  ['localhost:3000', 'localhost'],
  ['', '']
])('the domain in %j is %j', ([text = '', site]) => {
  expect(readSite(text)).toBe(site)
})

test('the domain in a URL is the domain that it is saved under', () => {
  fc.assert(
    fc.property(fc.webUrl(), (url) => {
      expect(readSite(url)).toBe(toDomain(new URL(url).hostname))
    })
  )
})

test.for([
  ['https://a.example/blog/how-to-peel-a-mango.html', 'How to peel a mango'],
  ['https://a.example/2024/05/My_Great+Article/', 'My Great Article'],
  ['https://a.example/articles/d41d8cd98f00b204e980', 'Articles'],
  ['https://a.example/%E6%97%A5%E6%9C%AC%E8%AA%9E', '日本語'],
  ['https://a.example/guide/index.html', 'Guide'],
  ['https://www.a.example/', 'A.example'],
  ['https://a.example/12345?id=6', 'A.example'],
  ['https://a.example/%zz/broken-%zz', 'Broken %zz']
])('the title made from %s is %s', ([address = '', words]) => {
  expect(addressWords(address)).toBe(words)
})

test.for([
  ['https://a.example/papers/On%20Bookmarks.pdf?x=1', 'On Bookmarks.pdf'],
  ['https://a.example/', 'a.example']
])('the file name in %s is %s', ([address = '', name]) => {
  expect(fileName(address)).toBe(name)
})
