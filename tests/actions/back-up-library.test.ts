import { expect, test } from 'vitest'
import { backUpNow, keepBackups } from '../../src-main/actions/back-up-library.ts'
import { START, testPorts } from './ports.ts'

const DAY = 86_400_000

test('seven daily backups and four weekly ones are kept', async () => {
  const ports = await testPorts()
  for (let day = 0; day < 40; day += 1) {
    ports.clock.time = START + day * DAY
    await keepBackups(ports)
    await keepBackups(ports)
  }
  const names = (await ports.library.listBackups()).map(({ name }) => name).sort()
  expect(names).toEqual([
    ...['2026-02-03', '2026-02-04', '2026-02-05', '2026-02-06', '2026-02-07', '2026-02-08', '2026-02-09'].map(
      (day) => `daily-${day}.sqlite`
    ),
    ...['2026-01-19', '2026-01-26', '2026-02-02', '2026-02-09'].map((monday) => `weekly-${monday}.sqlite`)
  ])
}, 60_000)

test('of those the owner asked for three are kept, and the others do not count', async () => {
  const ports = await testPorts()
  await keepBackups(ports)
  for (let time = 0; time < 5; time += 1) {
    ports.clock.time += 1000
    await backUpNow(ports)
  }
  const names = (await ports.library.listBackups()).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('manual-')).sort()).toEqual(
    ['00-00-03', '00-00-04', '00-00-05'].map((time) => `manual-2026-01-01T${time}-000Z.sqlite`)
  )
  expect(names).toHaveLength(5)
})
