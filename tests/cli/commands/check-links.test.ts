import { expect, test } from 'vitest'
import { earmark, json, startCommand } from '../../support/command-line.ts'
import { linkCheckIn, putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A library with these pages, none of which is requested: they are not on the public web. */
async function library(...pages: string[]): Promise<string> {
  const data = tempFolder()
  putEmptyLibrary(data)
  await json(['add', ...pages, '--data', data])
  return data
}

test('check-links checks the selected links and prints the result', async () => {
  const data = await library('http://127.0.0.1/inside', 'http://10.0.0.1/also')
  expect(await json(['check-links', 'inside', '--data', data])).toMatchObject({
    total: 1,
    checked: 1,
    unclear: 1,
    cancelled: false,
    links: []
  })
  const all = await earmark(['check-links', '--data', data])
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(all.stdout).toMatch(/^2 checked: 0 broken, 0 moved\n2 gave no clear answer/)
})

test('a check that reached nothing says that the machine seems to be offline', async () => {
  const data = await library('https://nowhere.invalid/1', 'https://elsewhere.invalid/2')
  const { code, stdout } = await earmark(['check-links', '--data', data])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 checked.*\n2 failed.*\nNot one page.*offline\.\n$/)])
})

test('an interrupted check prints its results so far', async () => {
  // All of one site, which is requested at intervals.
  const data = await library(...Array.from({ length: 30 }, (_, number) => `http://127.0.0.1/${number}`))
  const checking = startCommand(['check-links', '--data', data])
  await expect.poll(() => linkCheckIn(data)?.checked ?? 0).toBeGreaterThan(0)
  checking.tell('SIGINT')
  const { code, stdout } = await checking.ended
  expect(code).toBe(1)
  expect(stdout).toContain('Stopped before the end.')
  expect(linkCheckIn(data)).toMatchObject({ cancelled: true, total: 30 })
})
