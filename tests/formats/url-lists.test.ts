import { expect, test } from 'vitest'
import { formats } from '../../src-main/formats/all.ts'
import { oneTab, urlList } from '../../src-main/formats/url-lists.ts'
import { expectFormat } from './reading.ts'

test('OneTab is split at the first bar between spaces', () => {
  const file = `https://a.example/?a=b|c | A page | about bars

https://b.example/
https://c.example/ |${' '}
`
  expect(expectFormat(oneTab, file)).toEqual([
    { line: 1, url: 'https://a.example/?a=b|c', title: 'A page | about bars', description: '', tags: [] },
    { line: 3, url: 'https://b.example/', title: '', description: '', tags: [] },
    { line: 4, url: 'https://c.example/', title: '', description: '', tags: [] }
  ])
})

test('a list of URLs is an address a line, with comments and blank lines', () => {
  const file = '# mine\r\nhttps://a.example/\r\n\r\n  # more\r\nhttps://b.example/#part\r\njavascript:alert(1)'
  expect(expectFormat(urlList, file)).toEqual([
    { line: 2, url: 'https://a.example/', title: '', description: '', tags: [] },
    { line: 5, url: 'https://b.example/#part', title: '', description: '', tags: [] },
    { line: 6, url: 'javascript:alert(1)', title: '', description: '', tags: [] }
  ])
})

test.each([
  ['a letter with a link in it', 'Dear diary,\ntoday I read https://a.example/ and liked it.\nBye'],
  ['passwords', 'Title,URL,Username,Password,Notes,OTPAuth\nA,https://a.example/,me,secret,,'],
  ['a history', '{"metadata":{"data_type":"history"},"history":[{"url":"https://a.example/"}]}']
])('%s is of no format', (_, file) => {
  expect(formats.filter((format) => format.recognises(file)).map(({ id }) => id)).toEqual([])
})
