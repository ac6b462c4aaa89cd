import { expect, test } from 'vitest'
import { changeBookmarks } from '../../../src-main/actions/bookmarks/change-bookmarks.ts'
import { captureBookmark } from '../../../src-main/actions/bookmarks/save-bookmarks.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { undoChange } from '../../../src-main/actions/undo.ts'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { everything, quickPorts } from '../ports.ts'

const url = 'https://a.example/page'
const capture = (ports: Ports, tags: string[], title?: string) =>
  captureBookmark(ports, { type: 'link', url, tags, ...(title !== undefined && { title }) })

test('a new page is saved with its tags', async () => {
  const ports = quickPorts()
  const captured = await capture(ports, ['one', '#two'])
  expect(captured).toMatchObject({ status: 'saved', addedTags: [], undo: null, bookmark: { tags: ['one', 'two'] } })
})

test('an existing bookmark gets the missing tags, keeps everything else, and can be undone', async () => {
  const ports = quickPorts()
  await capture(ports, ['One'], 'Mine')
  const captured = await capture(ports, ['one', 'two', 'Two'], 'Theirs')
  expect(captured).toMatchObject({ status: 'existing', addedTags: ['two'], bookmark: { title: 'Mine' } })
  expect((await everything(ports))[0]?.tags).toEqual(['One', 'two'])
  await undoChange(ports, captured.undo ?? 0)
  expect((await everything(ports))[0]?.tags).toEqual(['One'])
})

test('an existing bookmark that has all the tags is unchanged', async () => {
  const ports = quickPorts()
  await capture(ports, ['one'])
  expect(await capture(ports, ['ONE'])).toMatchObject({ status: 'existing', addedTags: [], undo: null })
})

test('a bookmark that is restored from the trash gets the tags too', async () => {
  const ports = quickPorts()
  const { bookmark } = await capture(ports, ['one'])
  await changeBookmarks(ports, { ids: [bookmark.id], change: { kind: 'delete' } })
  expect(await capture(ports, ['two'])).toMatchObject({ status: 'saved', addedTags: [] })
  expect((await everything(ports))[0]?.tags).toEqual(['one', 'two'])
})

test('a bookmark with the maximum number of tags is unchanged, and the capture fails', async () => {
  const ports = quickPorts()
  const tags = Array.from({ length: LIMITS.tags }, (_, index) => `t${index}`)
  await capture(ports, tags)
  await expect(capture(ports, ['more'])).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/the maximum number of tags/)
  })
  expect((await everything(ports))[0]?.tags).toHaveLength(LIMITS.tags)
})
