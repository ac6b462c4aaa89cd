/** Random histories of saved searches and rules on several devices, compared with each other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src-main/contract/problem.ts'
import { readRows, readValue } from '../../../src-main/database/sql.ts'
import { runs } from '../../support/runs.ts'
import { type Device, exchange, newDevice, receive, send } from './devices.ts'

const device = fc.nat({ max: 4 })
const which = fc.nat({ max: 1 })
const name = fc.constantFrom('Work', 'work', 'Later', 'Read')
const acts = ['save', 'rename', 'delete', 'make', 'change', 'end', 'undo'] as const
const histories = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom(...acts), device, which, name }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), device, from: device, all: fc.boolean() }) }
  ),
  { minLength: 1, maxLength: 60, size: 'max' }
)

type Act = { kind: (typeof acts)[number]; which: number; name: string }

/** Does an act on one device; a refusal changes nothing. */
function act(library: Device, searches: string[], rules: string[], { kind, which, name }: Act, at: number): void {
  // Only the last two change, so that changes of several devices meet.
  const search = searches.at(-1 - which) ?? ''
  const rule = rules.at(-1 - which) ?? ''
  const draft = { query: `${name}-${at}`, tags: [name], place: undefined, copy: which === 1 }
  try {
    if (kind === 'save' && searches.length < 3) searches.push(library.saveSearch(name, `/?q=${at}`).id)
    else if (kind === 'rename') library.renameSavedSearch(search, name)
    else if (kind === 'delete') library.deleteSavedSearch(search)
    else if (kind === 'make' && rules.length < 3) rules.push(library.saveRule(draft).id)
    else if (kind === 'change') library.changeRule(rule, draft)
    else if (kind === 'end') library.deleteRule(rule, at)
    else if (kind === 'undo') library.undoStep(readValue<number>(library.db, 'SELECT max(id) FROM undo_steps') ?? 0)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

function contents({ db }: Device) {
  return {
    searches: readRows(db)`SELECT public_id, name, address FROM saved_searches ORDER BY 1`,
    rules: readRows(db)`SELECT public_id, query, tags, copies FROM rules WHERE deleted_at IS NULL ORDER BY 1`
  }
}

test('after random histories all devices have the same saved searches and rules', { timeout: 3_000_000 }, () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5 }), histories, (count, history) => {
      const devices = Array.from({ length: count }, () => newDevice())
      const at = (index: number) => devices[index % count] as Device
      const [searches, rules]: [string[], string[]] = [[], []]
      for (const [index, event] of history.entries()) {
        if (event.kind === 'read') {
          if (event.all) send(at(event.from))
          receive(at(event.device), [at(event.from)], event.all ? Infinity : 1)
        } else act(at(event.device), searches, rules, event, 90_000_000 * index)
      }
      exchange(devices)
      for (const library of devices) expect(contents(library)).toEqual(contents(at(0)))
      for (const library of devices) library.close()
    }),
    { numRuns: runs(30, 2000) }
  )
})
