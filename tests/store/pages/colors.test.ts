import { expect, test } from 'vitest'
import { emptyLibrary, note, PRIVATE, within } from '../library.ts'

const color = (content: string) => note({ type: 'color', title: content, content })

function palette(...contents: string[]) {
  const library = emptyLibrary()
  const saved = library.saveBookmarks(PRIVATE, contents.map(color))
  return { library, ids: saved.map(({ id }) => id) }
}

test('colors that look alike are found in any notation, nearest first', async () => {
  const { library } = palette('blue', 'coral', 'rgb(255 99 72)', 'oklch(69.6% 0.196 32.3)', 'tomato', '#00ff00')
  const found = await library.similarColors('#ff6347', 10)
  expect(found.map(({ bookmark }) => bookmark.content)).toEqual([
    'tomato',
    expect.stringMatching(/^(rgb|oklch)/),
    expect.stringMatching(/^(rgb|oklch)/),
    'coral'
  ])
  expect(found[0]?.distance).toBe(0)
})

test('no more than asked for, none from the trash, no texts, and every owner’s', async () => {
  const { library, ids } = palette('red', '#fe0000', '#fd0000')
  const { rowId } = library.createOrganization('Acme', 1)
  library.saveBookmarks(within(rowId), [color('#fc0000')])
  library.saveBookmarks(PRIVATE, [note({ content: 'red' })])
  library.changeBookmarks([ids[1] ?? ''], { kind: 'delete' }, 2000)
  const contents = async (limit: number) =>
    (await library.similarColors('red', limit)).map(({ bookmark }) => bookmark.content)
  expect(await contents(2)).toEqual(['red', '#fd0000'])
  expect(await contents(10)).toEqual(['red', '#fd0000', '#fc0000'])
})

test('nothing is like what is no color', async () => {
  expect(await palette('red').library.similarColors('url(x)', 10)).toEqual([])
})
