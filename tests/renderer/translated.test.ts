// A module's language is decided when it is loaded, so this file has a language of its own.
import { expect, test, vi } from 'vitest'

test('texts, plurals and dates are in the page’s language, and English where a translation is missing', async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'ru' } })
  vi.resetModules()
  const { i18n, locale, number, translateWith } = await import('../../src-renderer/lib/locale.ts')
  translateWith({
    '["Open ",["name"]]': ['Открыть ', ['name']],
    '[["count","plural",{"one":["#"," link"],"other":["#"," links"]}]]': [
      [
        'count',
        'plural',
        { one: ['#', ' ссылка'], few: ['#', ' ссылки'], many: ['#', ' ссылок'], other: ['#', ' ссылки'] }
      ]
    ],
    verb01: ['В архив']
  })
  const links: unknown = [['count', 'plural', { one: ['#', ' link'], other: ['#', ' links'] }]]
  const text = (message: unknown, values = {}, id?: string) =>
    i18n._({ id, message, values } as unknown as Parameters<typeof i18n._>[0])
  expect(text(['Open ', ['name']], { name: 'a.example' })).toBe('Открыть a.example')
  expect([1, 3, 7].map((count) => text(links, { count }))).toEqual(['1 ссылка', '3 ссылки', '7 ссылок'])
  expect(text(['Archive'], {}, 'verb01')).toBe('В архив')
  expect(text(['Archive'])).toBe('Archive')
  expect(i18n._(undefined as never, { name: 'b' }, { message: ['Open ', ['name']] as never })).toBe('Открыть b')
  expect(locale).toMatch(/^ru/)
  expect(number(1234.5)).toMatch(/1.?234,5/)
})
