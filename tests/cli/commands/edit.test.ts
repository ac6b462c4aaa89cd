import { beforeEach, describe, expect, test } from 'vitest'
import { earmark, json, serving } from '../../support/command-line.ts'

/** `earmark show`, `edit`, `tag`, `delete` and `undo`. */
let data = ''
let id = ''

beforeEach(async () => {
  data = (await serving()).data
  const added = await json(['add', 'https://a.example/one', '--title', 'One', '--tag', 'old', '--data', data])
  id = added.bookmarks[0].id
})

const run = (...args: string[]) => earmark([...args, '--data', data])
const saved = async () => (await json(['search', '--data', data])).bookmarks

/** Runs the command that a report names to undo its change. */
async function undo(stdout: string) {
  const [, step = ''] = /earmark (?:-- )?undo (\d+)/.exec(stdout) ?? []
  return run('undo', step)
}

test('show prints all that is saved of a bookmark, and JSON with every field', async () => {
  await run('edit', id, '--description', 'Two\nlines')
  const { code, stdout } = await run('show', id)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^One\n {2}address: https:\/\/a\.example\/one\n {2}tags: #old\n {2}place: private\n {2}saved: \d{4}-.*\n {2}changed: .*\n\nTwo\nlines\n$/
  )
  expect(await json(['show', id, '--data', data])).toMatchObject({ id, title: 'One', description: 'Two\nlines' })
})

describe('edit', () => {
  test('changes the named fields, and the change can be undone', async () => {
    const edited = await run('edit', id, '--title', 'Uno', '--url', 'https://a.example/uno', '--visibility', 'public')
    expect(edited).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Changed: Uno\nTo undo it: .*undo \d+/) })
    const changed = { title: 'Uno', url: 'https://a.example/uno', visibility: 'public', tags: ['old'] }
    expect(await saved()).toMatchObject([changed])
    expect(await undo(edited.stdout)).toMatchObject({ code: 0, stdout: 'Undone for 1 bookmark.\n' })
    expect(await saved()).toMatchObject([{ title: 'One', url: 'https://a.example/one', visibility: 'private' }])
  })

  test('moves a bookmark to an organization, by its name', async () => {
    await run('organizations', 'create', 'Acme')
    expect(await run('edit', id, '--organization', 'Acme')).toMatchObject({ code: 0 })
    expect((await run('show', id)).stdout).toContain('place: Acme')
  })

  test('says so if nothing changes', async () => {
    expect((await run('edit', id, '--title', 'One')).stdout).toBe('One was like that already.\n')
  })

  test.each<[args: string[], code: number, fault: RegExp]>([
    [[], 2, /name what to change/],
    [['--visibility', 'secret'], 2, /Allowed choices are private, public/],
    [['--visibility', 'public', '--organization', 'Acme'], 2, /cannot be used with/],
    [['--url', 'ftp://a.example/'], 1, /url: ftp:/],
    [['--organization', 'Nobody'], 1, /Nobody/]
  ])('refuses %j', async (args, code, fault) => {
    expect(await run('edit', id, ...args)).toMatchObject({ code, stderr: expect.stringMatching(fault) })
    expect(await saved()).toMatchObject([{ title: 'One', visibility: 'private' }])
  })
})

describe('tag', () => {
  test('adds and removes tags of several bookmarks, and the change can be undone', async () => {
    const other = await json(['add', 'https://a.example/two', '--data', data])
    const tagged = await run('tag', id, other.bookmarks[0].id, '--add', 'new', '--add', 'a b', '--remove', 'old')
    expect(tagged.stdout).toMatch(/^Changed the tags of 2 bookmarks\n/)
    expect(await saved()).toMatchObject([{ tags: ['a b', 'new'] }, { tags: ['a b', 'new'] }])
    expect((await undo(tagged.stdout)).stdout).toBe('Undone for 2 bookmarks.\n')
    expect(await saved()).toMatchObject([{ tags: [] }, { tags: ['old'] }])
  })

  test('without a tag is wrong usage', async () => {
    expect(await run('tag', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--add TAG or --remove') })
  })
})

test('delete moves bookmarks to the trash, names the unknown ones, and can be undone', async () => {
  const deleted = await run('delete', id, '0123456789abcdef')
  expect(deleted).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^Moved to the trash: 1 bookmark\nNot changed: 0123456789abcdef: there is no such bookmark\nTo undo it/
    )
  })
  expect(await saved()).toEqual([])
  expect((await run('show', id)).stdout).toContain('in the trash since')
  await undo(deleted.stdout)
  expect(await saved()).toMatchObject([{ id }])
})

test.each([['show'], ['edit', '--title', 'x']])('%s reports an unknown id', async (command, ...args) => {
  expect(await run(command, '0123456789abcdef', ...args)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no such bookmark/)
  })
})

test('undo reports what cannot be undone', async () => {
  expect(await run('undo', '999')).toMatchObject({ code: 1, stderr: expect.stringMatching(/already undone|Nothing/) })
})
