/** Random histories of several devices, compared with each other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src-main/contract/problem.ts'
import { indexFaults } from '../../../src-main/search/sql/search-index.ts'
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

/** Creates, deletes or renames an organization; a refusal changes nothing. */
function changeOrganization(library: Device, { kind, which, name }: Act, time: number): void {
  const organizations = library.listOrganizations()
  const { rowId } = organizations[which % organizations.length] ?? { rowId: 0 }
  try {
    if (kind === 'make') library.createOrganization(name, time)
    else if (kind === 'rename') library.renameOrganization(rowId, name)
    else library.deleteOrganizationBatch(rowId, 'profile', time)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

test('after random histories of two to five devices all have the same bookmarks and intact indexes', {
  timeout: 3_000_000
}, () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5 }), histories, (count, history) => {
      const devices = Array.from({ length: count }, () => asDevice(world(200)))
      const left: Device[] = []
      const at = (index: number) => devices[index % count] as (typeof devices)[number]
      for (const [index, act] of history.entries()) {
        if (act.kind === 'step') run(at(act.device), act.step, 1000 + index)
        else if (act.kind === 'picture') savePicture(at(act.device), act.which)
        else if (act.kind === 'tag') {
          const draft = { ...link(`https://tagged.example/${act.page}`, { tags: [act.tag] }), createdAt: 1000 + index }
          at(act.device).saveBookmarks(PRIVATE, [draft])
        } else if (act.kind === 'make' || act.kind === 'end' || act.kind === 'rename') {
          changeOrganization(at(act.device), act, 1000 + index)
        } else if (act.kind === 'rejoin') {
          left.push(at(act.device))
          devices[act.device % count] = asDevice(at(act.device))
        } else if (act.kind === 'send') send(at(act.device))
        else if (act.kind === 'snapshot') {
          send(at(act.device), 0)
          if (act.remove) removeOld(at(act.device))
        } else if (act.kind === 'lose') lose(at(act.device), act.segments)
        else if (act.kind === 'receive') receive(at(act.device), [at(act.from)], act.most)
        else if (act.kind === 'again') {
          // Only files that were read before: of others that are lost afterwards, no device knows that this one has them.
          const { device: name, wrote } = at(act.from)
          const upTo =
            at(act.device)
              .readSync()
              ?.devices.find(({ device }) => device === name)?.upTo ?? 0
          for (const { records } of wrote.filter(({ number }) => number <= upTo)) {
            givePictures(at(act.device), records)
            at(act.device).mergeRecords(records, 5000)
          }
        }
      }
      // Indexing an import applies rules, which are changes to send.
      for (const device of devices) settle(device)
      exchange(devices, left)
      // A late device reads only the remaining files.
      for (const device of devices) send(device, 0)
      for (const device of devices) removeOld(device)
      devices.push(asDevice(world(200)))
      exchange(devices, left)
      for (const library of devices) {
        expect(contents(library)).toEqual(contents(at(0)))
        settle(library)
        expect(indexFaults(library.db)).toEqual([])
        expect(library.db.pragma('foreign_key_check')).toEqual([])
      }
      for (const library of devices) library.close()
    }),
    { numRuns: runs(20, 1000) }
  )
})
