import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { ChildProcess, StartProcess } from '../../src-main/contract/ports.ts'
import { openKeychain } from '../../src-main/keychain/keychain.ts'
import type { KeychainReply, KeychainRequest } from '../../src-main/keychain/keychain-child.ts'

test('an operation that is never answered ends after the patience, and its process is killed', async () => {
  const { start, processes } = standIns('started')
  const keychain = openKeychain(start, 30)
  expect(await keychain.store('account', 'secret')).toBe(false)
  expect(processes).toMatchObject([{ killed: true }])
})

test('the patience is counted from the process’s first word', async () => {
  const { start, processes } = standIns()
  const keychain = openKeychain(start, 30)
  const read = keychain.read('one')
  await vi.waitFor(() => expect(processes).toHaveLength(1))
  await sleep(100)
  expect(processes[0]?.killed).toBe(false)
  processes[0]?.answer('started')
  processes[0]?.answer({ value: 'found' })
  expect(await read).toBe('found')
})

test.each([
  { reply: { error: 'The keychain’s library could not be loaded: no such file' }, fault: 'no such file' },
  { reply: { value: false }, fault: 'different secret' },
  { reply: undefined, fault: 'ended without an answer' }
])('$fault is said to be why it keeps nothing', async ({ reply, fault }) => {
  const { start, processes } = standIns()
  const said = openKeychain(start, 60_000).fault()
  await vi.waitFor(() => expect(processes).toHaveLength(1))
  processes[0]?.answer(reply)
  expect(await said).toContain(fault)
})

test('one that keeps what it is given has no fault, and keeps nothing of the trial', async () => {
  const { start, processes } = standIns()
  const said = openKeychain(start, 60_000).fault()
  for (const [at, operation] of ['store', 'remove'].entries()) {
    await vi.waitFor(() => expect(processes[at]?.request?.operation).toBe(operation))
    processes[at]?.answer({ value: true })
  }
  expect(await said).toBeUndefined()
})

test('an operation after one that was never answered gets its turn', async () => {
  const { start, processes } = standIns('started')
  const keychain = openKeychain(start, 100)
  const first = keychain.read('one')
  const second = keychain.read('two')
  expect(await first).toBeUndefined()
  await vi.waitFor(() => expect(processes).toHaveLength(2))
  processes[1]?.answer({ value: 'found' })
  expect(await second).toBe('found')
})

test('operations run one at a time, in the order they came', async () => {
  const { start, processes } = standIns()
  const keychain = openKeychain(start, 60_000)
  const all = [keychain.store('one', 's'), keychain.read('two'), keychain.remove('three')]
  const asked: string[] = []
  for (const at of [0, 1, 2]) {
    await vi.waitFor(() => expect(processes).toHaveLength(at + 1))
    for (let turns = 0; turns < 5; turns++) await turn()
    expect(processes).toHaveLength(at + 1)
    asked.push(processes[at]?.request?.account ?? '')
    processes[at]?.answer({ value: true })
  }
  await Promise.all(all)
  expect(asked).toEqual(['one', 'two', 'three'])
})

test('a process that ends without an answer is no keychain', async () => {
  const { start, processes } = standIns()
  const keychain = openKeychain(start, 60_000)
  const stored = keychain.store('account', 'secret')
  await vi.waitFor(() => expect(processes).toHaveLength(1))
  processes[0]?.answer(undefined)
  expect(await stored).toBe(false)
})

test('a process that cannot be started is no keychain, and the next operation is tried again', async () => {
  const { start, processes } = standIns()
  let starts = 0
  const startSecond: StartProcess = (program) => {
    starts += 1
    if (starts === 1) throw new Error('spawn ENOMEM')
    return start(program)
  }
  const keychain = openKeychain(startSecond, 60_000)
  expect(await keychain.store('account', 'secret')).toBe(false)
  const read = keychain.read('account')
  await vi.waitFor(() => expect(processes).toHaveLength(1))
  processes[0]?.answer({ value: 'found' })
  expect(await read).toBe('found')
})

test.each([
  { reply: { error: 'locked' } },
  { reply: { value: false } },
  { reply: { value: null } },
  { reply: { value: 'secret' } }
])('a secret is not called stored on the answer $reply', async ({ reply }) => {
  const { start, processes } = standIns()
  const keychain = openKeychain(start, 60_000)
  const stored = keychain.store('account', 'secret')
  await vi.waitFor(() => expect(processes).toHaveLength(1))
  processes[0]?.answer(reply)
  expect(await stored).toBe(false)
})

test('closing kills the operation under way and starts none of those that wait', async () => {
  const { start, processes } = standIns()
  const keychain = openKeychain(start, 60_000)
  const all = [keychain.read('one'), keychain.read('two')]
  await vi.waitFor(() => expect(processes).toHaveLength(1))
  const closed = keychain.close()
  await vi.waitFor(() => expect(processes[0]?.killed).toBe(true))
  processes[0]?.answer(undefined) // how a killed process ends
  for (let turns = 0; turns < 5; turns++) await turn()
  const startedLater = processes.length - 1
  for (const one of processes) one.answer(undefined)
  await Promise.all([closed, ...all])
  expect(startedLater).toBe(0)
})

interface StandIn extends ChildProcess<KeychainRequest, KeychainReply> {
  request: KeychainRequest | undefined
  killed: boolean
  answer(reply: KeychainReply | undefined): void
}

/** Child processes that do only what the test says. @param first what each says by itself */
function standIns(first?: 'started') {
  const processes: StandIn[] = []
  function startOne(): StandIn {
    let listener: (reply: KeychainReply | undefined) => void = () => {}
    const process: StandIn = {
      request: undefined,
      killed: false,
      send(request) {
        process.request = request
        if (first) listener(first)
      },
      onReply(given) {
        listener = given
      },
      kill() {
        process.killed = true
      },
      answer: (reply) => listener(reply)
    }
    processes.push(process)
    return process
  }
  return { start: startOne as unknown as StartProcess, processes }
}
