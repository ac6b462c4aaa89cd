/** Random histories of saved searches and rules on several devices, against each other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src-main/contract/problem.ts'
import { readRows } from '../../../src-main/store/statements.ts'
import { runs } from '../../support/runs.ts'
import { type Device, exchange, newDevice, receive, send } from './devices.ts'

const device = fc.nat({ max: 4 })
const which = fc.nat({ max: 1 })
const name = fc.constantFrom('Work', 'work', 'Later', 'Read')
const acts = ['save', 'rename', 'delete', 'restore', 'make', 'change', 'end', 'revive'] as const
const histories = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom(...acts), device, which, name }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), device, from: device, all: fc.boolean() }) }
  ),
  { minLength: 1, maxLength: 60, size: 'max' }
)

type Act = { kind: (typeof acts)[number]; which: number; name: string }

/** Does what somebody does on one device; what it refuses changes nothing. */
function act(one: Device, searches: string[], rules: string[], { kind, which, name }: Act, at: number): void {
  // Of the last two: what happens to one at a time is soon on all devices.
  const search = searches.at(-1 - which) ?? ''
  const rule = rules.at(-1 - which) ?? ''
  const draft = { query: `${name}-${at}`, tags: [name], place: undefined }
  try {
    if (kind === 'save' && searches.length < 3) searches.push(one.saveSearch(name, `/?q=${at}`).id)
    else if (kind === 'rename') one.renameSavedSearch(search, name)
    else if (kind === 'delete') one.deleteSavedSearch(search)
    else if (kind === 'restore' && search !== '' && one.listSavedSearches().every(({ id }) => id !== search)) {
      one.restoreSavedSearch({ id: search, name, address: `/?q=${at}` })
    } else if (kind === 'make' && rules.length < 3) rules.push(one.saveRule(draft).id)
    else if (kind === 'change') one.changeRule(rule, draft)
    else if (kind === 'end') one.deleteRule(rule, at)
    else if (kind === 'revive') one.restoreRule(rule)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

function contents({ db }: Device) {
  return {
    searches: readRows(db)`SELECT public_id, name, address FROM saved_searches ORDER BY 1`,
    rules: readRows(db)`SELECT public_id, query, tags FROM rules WHERE deleted_at IS NULL ORDER BY 1`
  }
}

test('after any history all devices have the same saved searches and rules', { timeout: 3_000_000 }, () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5 }), histories, (count, history) => {
      const devices = Array.from({ length: count }, () => newDevice())
      const at = (index: number) => devices[index % count] as Device
      const [searches, rules]: [string[], string[]] = [[], []]
      for (const [index, one] of history.entries()) {
        if (one.kind === 'read') {
          if (one.all) send(at(one.from))
          receive(at(one.device), [at(one.from)], one.all ? Infinity : 1)
        } else act(at(one.device), searches, rules, one, 90_000_000 * index)
      }
      exchange(devices)
      for (const one of devices) {
        expect(contents(one)).toEqual(contents(at(0)))
      }
      for (const one of devices) one.close()
    }),
    { numRuns: runs(30, 2000) }
  )
})
