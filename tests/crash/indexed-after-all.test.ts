import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Finding } from '../../src-main/contract/doctor.ts'
import { runProgram, startProgram, withoutKeychain } from '../support/program.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PAGES = 5000
const KILLS = 3

test('an import that was answered is whole and searchable in the end, however often its indexing is killed', {
  timeout: 120_000
}, async () => {
  const data = tempFolder()
  const file = join(tempFolder(), 'pages.txt')
  writeFileSync(file, Array.from({ length: PAGES }, (_, page) => `https://a.example/heron${page}\n`).join(''))
  const run = async (...args: string[]) =>
    JSON.parse((await runProgram([...args, '--json', '--data', data], withoutKeychain)).stdout)

  let service = await startProgram(data, [], { env: withoutKeychain })
  expect(await run('import', file)).toMatchObject({ imported: PAGES, duplicate: 0, rejected: 0 })
  for (let kill = 1; kill <= KILLS; kill++) {
    await sleep(kill * 200) // each time at another point of the indexing
    await service.end('SIGKILL')
    service = await startProgram(data, [], { env: withoutKeychain })
    const listed = await run('search', '--domain', 'a.example')
    expect(listed).toMatchObject({ total: PAGES, atLeast: false })
  }
  for (const page of [0, 2500, PAGES - 1]) {
    const found = async () => (await run('search', `heron${page}`)).bookmarks.map(({ url }: { url: string }) => url)
    await expect.poll(found, { timeout: 60_000 }).toEqual([`https://a.example/heron${page}`])
  }
  expect(await service.end('SIGTERM')).toBe(0)
  const { findings } = (await run('doctor')) as { findings: Finding[] }
  const stateOf = (check: string) => findings.find((finding) => finding.check === check)
  expect(stateOf('library')?.text).toContain(`bookmarks: ${PAGES}.`)
  expect(stateOf('index')?.state).toBe('ok')
  expect(stateOf('integrity')?.state).toBe('ok')
})
