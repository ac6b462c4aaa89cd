/** Random histories of several devices, against each other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src-main/contract/problem.ts'
import { indexFaults } from '../../../src-main/search/sql/index-faults.ts'
import { runs } from '../../support/runs.ts'
import { run, step, world } from '../bookmarks/history-steps.ts'
import { link, PRIVATE, settle } from '../library.ts'
import {
  asDevice,
  contents,
  type Device,
  exchange,
  givePictures,
  lose,
  receive,
  removeOld,
  savePicture,
  send
} from './devices.ts'

const device = fc.nat({ max: 4 })
const histories = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('step' as const), device, step }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('picture' as const), device, which: fc.nat({ max: 1 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('tag' as const),
        device,
        page: fc.nat({ max: 3 }),
        tag: fc.constantFrom('One', 'oNe', 'ONE/a', 'ärzte')
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('make' as const, 'end' as const, 'rename' as const),
        device,
        which: fc.nat({ max: 3 }),
        name: fc.constantFrom('Acme', 'ACME', 'Beta')
      })
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rejoin' as const), device }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('send' as const), device }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshot' as const), device, remove: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), device, segments: fc.nat({ max: 3 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('receive' as const), device, from: device, most: fc.nat({ max: 2 }) })
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), device, from: device }) }
  ),
  { minLength: 1, maxLength: 60, size: 'max' }
)

type Act = { kind: 'make' | 'end' | 'rename'; which: number; name: string }

/** Makes, deletes or renames an organization; what the library refuses changes nothing. */
function changeOrganization(one: Device, { kind, which, name }: Act, time: number): void {
  const organizations = one.listOrganizations()
  const { rowId } = organizations[which % organizations.length] ?? { rowId: 0 }
  try {
    if (kind === 'make') one.createOrganization(name, time)
    else if (kind === 'rename') one.renameOrganization(rowId, name)
    else one.deleteOrganizationSome(rowId, 'profile', time)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

test('after any history of two to five devices all have the same, and their indexes are whole', {
  timeout: 3_000_000
}, () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5 }), histories, (count, history) => {
      const devices = Array.from({ length: count }, () => asDevice(world(200)))
      const left: Device[] = []
      const at = (index: number) => devices[index % count] as (typeof devices)[number]
      for (const [index, one] of history.entries()) {
        if (one.kind === 'step') run(at(one.device), one.step, 1000 + index)
        else if (one.kind === 'picture') savePicture(at(one.device), one.which)
        else if (one.kind === 'tag') {
          const draft = { ...link(`https://tagged.example/${one.page}`, { tags: [one.tag] }), createdAt: 1000 + index }
          at(one.device).saveBookmarks(PRIVATE, [draft])
        } else if (one.kind === 'make' || one.kind === 'end' || one.kind === 'rename') {
          changeOrganization(at(one.device), one, 1000 + index)
        } else if (one.kind === 'rejoin') {
          left.push(at(one.device))
          devices[one.device % count] = asDevice(at(one.device))
        } else if (one.kind === 'send') send(at(one.device))
        else if (one.kind === 'snapshot') {
          send(at(one.device), 0)
          if (one.remove) removeOld(at(one.device))
        } else if (one.kind === 'lose') lose(at(one.device), one.segments)
        else if (one.kind === 'receive') receive(at(one.device), [at(one.from)], one.most)
        else if (one.kind === 'again') {
          for (const { records } of at(one.from).wrote) {
            givePictures(at(one.device), records)
            at(one.device).mergeRecords(records, 5000)
          }
        }
      }
      exchange(devices, left)
      // One that comes late has only what is left.
      for (const one of devices) send(one, 0)
      for (const one of devices) removeOld(one)
      devices.push(asDevice(world(200)))
      exchange(devices, left)
      const [first, ...others] = devices
      for (const other of others) expect(contents(other)).toEqual(contents(at(0)))
      for (const one of [first, ...others]) {
        if (!one) continue
        settle(one)
        expect(indexFaults(one.db)).toEqual([])
        expect(one.db.pragma('foreign_key_check')).toEqual([])
        one.close()
      }
    }),
    { numRuns: runs(20, 1000) }
  )
})
