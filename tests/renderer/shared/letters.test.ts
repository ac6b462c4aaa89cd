import { domainToASCII } from 'node:url'
import { expect, test } from 'vitest'
import { addressInLetters, siteInLetters } from '../../../src-renderer/shared/letters.ts'

test.for([
  'bücher.example',
  'straße.example',
  'пример.рф',
  '例え.テスト',
  'مثال.إختبار',
  'δοκιμή.example',
  'ü.example',
  'a-ü-b.example'
])('%s is shown in its letters', (site) => {
  expect(siteInLetters(domainToASCII(site))).toBe(domainToASCII(site).includes('xn--') ? site : domainToASCII(site))
})

test.for(['xn--80ak6aa92e.com', 'xn--pple-43d.com', 'xn--!.example', 'xn--99999999999.example', 'plain.example'])(
  '%s stays as it is: it is none, needs none, or would pass for another',
  (site) => {
    expect(siteInLetters(site)).toBe(site)
  }
)

test('an address shows letters in its path too, and nothing that would change what it says', () => {
  expect(addressInLetters('https://xn--bcher-kva.example/caf%C3%A9?q=%C3%BC#%26')).toBe(
    'https://bücher.example/café?q=ü#%26'
  )
  expect(addressInLetters('https://a.example/%2Fb%20c%E0%A4%A')).toBe('https://a.example/%2Fb%20c%E0%A4%A')
  expect(addressInLetters('data:text/plain,x')).toBe('data:text/plain,x')
})
