import { expect, test } from 'vitest'
import { type Device, exchange, newDevice, receive, send } from './devices.ts'

const NOW = 1000
const searches = (device: Device) => device.listSavedSearches().map(({ name, address }) => `${name} ${address}`)
const rules = (device: Device) =>
  device.listRules().map(({ query, tags, organization }) => [query, tags, organization?.name])
const draft = (query: string, ...tags: string[]) => ({ query, tags, place: undefined })

test('saved searches and rules are synchronized, also old ones, with the organization of a rule', () => {
  const here = newDevice((library) => {
    library.saveSearch('Work', '/?q=work')
    library.saveRule(draft('site:a.example', 'a'))
    library.deleteRule(library.saveRule(draft('site:gone.example', 'gone')).id, NOW)
  })
  const there = newDevice()
  const { rowId } = here.createOrganization('Acme', NOW)
  here.saveRule({ query: 'acme', tags: [], place: { visibility: 'organization', owner: rowId } })
  there.saveSearch('Later', '/links?q=later')
  exchange([here, there])
  expect(searches(here)).toEqual(['Later /links?q=later', 'Work /?q=work'])
  expect(searches(there)).toEqual(searches(here))
  expect(rules(there).sort()).toEqual([
    ['acme', [], 'Acme'],
    ['site:a.example', ['a'], undefined]
  ])
  expect(rules(here).sort()).toEqual(rules(there).sort())
  expect([here.countUnsent(), there.countUnsent()]).toEqual([0, 0])
})

test('the later change of each field wins, and deleted ones stay deleted until they are restored', () => {
  const [here, there] = [newDevice(), newDevice()]
  const search = here.saveSearch('Work', '/?q=work')
  const rule = here.saveRule(draft('one', 'a'))
  exchange([here, there])
  here.renameSavedSearch(search.id, 'Earlier')
  here.changeRule(rule.id, { ...draft('two', 'a'), copy: true })
  there.changeRule(rule.id, draft('one', 'b'))
  exchange([here, there])
  const renaming = there.renameSavedSearch(search.id, 'Later') ?? 0
  exchange([here, there])
  for (const device of [here, there]) {
    expect(searches(device)).toEqual(['Later /?q=work'])
    expect(rules(device)).toEqual([['two', ['b'], undefined]])
    expect(device.listRules()).toMatchObject([{ copy: true }])
  }
  here.deleteSavedSearch(search.id)
  const deletion = here.deleteRule(rule.id, NOW) ?? 0
  exchange([here, there])
  expect([searches(there), rules(there)]).toEqual([[], []])
  there.undoStep(renaming)
  here.undoStep(deletion)
  exchange([here, there])
  for (const device of [here, there]) {
    expect(searches(device)).toEqual(['Earlier /?q=work'])
    expect(rules(device)).toEqual([['two', ['b'], undefined]])
  }
})

test('one that was deleted here, changed there and restored is the same on both', () => {
  const [here, there] = [newDevice(), newDevice()]
  const search = here.saveSearch('Work', '/?q=work')
  const rule = here.saveRule(draft('one', 'a'))
  exchange([here, there])
  const deletions = [here.deleteSavedSearch(search.id) ?? 0, here.deleteRule(rule.id, NOW) ?? 0]
  there.renameSavedSearch(search.id, 'Changed')
  there.changeRule(rule.id, draft('two', 'a'))
  send(there)
  receive(here, [there])
  for (const step of deletions) here.undoStep(step)
  exchange([here, there])
  expect(searches(there)).toEqual(searches(here))
  expect(rules(there)).toEqual(rules(here))
})

test('two searches of one name both stay, and an early change waits for its search', () => {
  const [here, there, third] = [newDevice(), newDevice(), newDevice()]
  const search = here.saveSearch('Work', '/?q=here')
  there.saveSearch('work', '/?q=there')
  send(here)
  receive(there, [here])
  there.renameSavedSearch(search.id, 'Renamed')
  send(there)
  receive(third, [there])
  expect(searches(third)).toEqual(['work /?q=there'])
  exchange([here, there, third])
  for (const device of [here, there, third]) {
    expect(searches(device)).toEqual(['Renamed /?q=here', 'work /?q=there'])
  }
})

test('a device that continues as another sends all of them, also deletions', () => {
  const [here, there] = [newDevice(), newDevice()]
  const { id } = here.saveSearch('Gone', '/?q=gone')
  const rule = here.saveRule(draft('gone', 'a'))
  here.saveSearch('Stays', '/?q=stays')
  exchange([here, there])
  here.deleteSavedSearch(id)
  here.deleteRule(rule.id, NOW)
  send(here)
  here.becomeDevice('f'.repeat(32))
  const renewed = { ...here, device: 'f'.repeat(32), wrote: [] }
  exchange([renewed, there])
  expect(searches(there)).toEqual(['Stays /?q=stays'])
  expect(rules(there)).toEqual([])
})

test('a change later than a restore is sent, although the rule was deleted here in between', () => {
  const [here, there] = [newDevice(), newDevice()]
  const rule = here.saveRule(draft('one', 'a'))
  exchange([here, there])
  const deletion = here.deleteRule(rule.id, NOW) ?? 0
  send(here)
  here.undoStep(deletion)
  there.changeRule(rule.id, draft('later', 'a'))
  there.db.exec('UPDATE sync_log SET at = at + 60000')
  receive(there, [here], 1)
  expect(rules(there)).toEqual([])
  exchange([here, there])
  for (const device of [here, there]) expect(rules(device)).toEqual([['later', ['a'], undefined]])
})
