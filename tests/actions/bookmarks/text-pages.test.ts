import { expect, test } from 'vitest'
import { PAGE_LENGTH, pagesOfText } from '../../../src-main/actions/bookmarks/text-pages.ts'
import { PAGE_START } from '../../../src-main/contract/page-details.ts'

const markdown = (text: string) => pagesOfText({ text: '', markdown: text })
const words = (length: number) => 'word '.repeat(length / 5).trim()

test('a short text is one page', async () => {
  expect(await markdown('# One\n\ntext')).toEqual({ pages: ['# One\n\ntext'], contents: ['One (page 1)'] })
  expect(await markdown('')).toEqual({ pages: [], contents: [] })
})

test('a page ends before a heading, or before the block that does not fit', async () => {
  const { pages, contents } = await markdown(
    [
      `# [A](https://a.example/)`,
      words(1000),
      '## B',
      words(1000),
      '## C',
      words(3000),
      words(3000),
      '# D',
      'end'
    ].join('\n\n')
  )
  expect(pages.map((page) => page.slice(0, 6))).toEqual(['# [A](', '## C\n\n', 'word w', '# D\n\ne'])
  expect(contents).toEqual(['A (page 1)', '  B (page 1)', '  C (page 2)', 'D (page 4)'])
})

test('a block longer than a page is split at words, and nothing is lost', async () => {
  const text = words(3 * PAGE_LENGTH)
  const { pages } = await markdown(text)
  expect(pages.every((page) => page.length <= PAGE_LENGTH && page.startsWith('word'))).toBe(true)
  expect(pages.join(' ')).toBe(text)
})

test('many headings are listed by their higher levels', async () => {
  const sections = Array.from({ length: 60 }, (_, index) => `## Part ${index}\n\n${'### Detail\n\n'.repeat(3)}`)
  const { contents } = await markdown(sections.join(''))
  expect(contents).toHaveLength(51)
  expect([contents[0], contents.at(-1)]).toEqual(['Part 0 (page 1)', '… and 10 more'])
})

test('the pages of a document are named', async () => {
  const text = ['One\n\nstill one', '', 'Three'].join(PAGE_START)
  expect((await pagesOfText({ text, markdown: null })).pages).toEqual(['Page 1: One\n\nstill one\n\nPage 3: Three'])
})
