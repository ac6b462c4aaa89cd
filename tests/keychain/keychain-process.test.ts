import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { ChildProcess, StartProcess } from '../../src-main/contract/ports.ts'
import { openKeychain } from '../../src-main/keychain/keychain.ts'
import type { KeychainReply, KeychainRequest } from '../../src-main/keychain/keychain-child.ts'

/** A keychain on child processes that do what the test says. @param first the reply that each sends by itself */
function testKeychain(timeoutMs = 60_000, first?: 'started') {
  const { start, processes } = fakeProcesses(first)
  const started = async (index = 0) => {
    await vi.waitFor(() => expect(processes.length).toBeGreaterThan(index))
    return processes[index] as FakeProcess
  }
  return { keychain: openKeychain(start, timeoutMs), processes, started }
}

test('an operation without an answer ends after the timeout, its process is killed, and the next one runs', async () => {
  const { keychain, processes, started } = testKeychain(100, 'started')
  const first = keychain.store('one', 'secret')
  const second = keychain.read('two')
  expect(await first).toBe(false)
  expect(processes[0]).toMatchObject({ killed: true })
  ;(await started(1)).answer({ value: 'found' })
  expect(await second).toBe('found')
})

test('the timeout begins when the process reports its start', async () => {
  const { keychain, started } = testKeychain(30)
  const read = keychain.read('one')
  const process = await started()
  await sleep(100)
  expect(process.killed).toBe(false)
  process.answer('started')
  process.answer({ value: 'found' })
  expect(await read).toBe('found')
})

test.each([
  { reply: { error: 'The keychain’s library could not be loaded: no such file' }, fault: 'no such file' },
  { reply: { value: false }, fault: 'different secret' },
  { reply: undefined, fault: 'ended without an answer' }
])('the fault is “$fault” for the reply $reply', async ({ reply, fault }) => {
  const { keychain, started } = testKeychain()
  const reported = keychain.fault()
  ;(await started()).answer(reply)
  expect(await reported).toContain(fault)
})

test('a working keychain has no fault, and the trial secret is removed', async () => {
  const { keychain, started } = testKeychain()
  const reported = keychain.fault()
  for (const [index, operation] of ['store', 'remove'].entries()) {
    const process = await started(index)
    await vi.waitFor(() => expect(process.request?.operation).toBe(operation))
    process.answer({ value: true })
  }
  expect(await reported).toBeUndefined()
})

test('operations run one at a time, in order', async () => {
  const { keychain, processes, started } = testKeychain()
  const all = [keychain.store('one', 's'), keychain.read('two'), keychain.remove('three')]
  const accounts: (string | undefined)[] = []
  for (const index of [0, 1, 2]) {
    const process = await started(index)
    await turns()
    expect(processes).toHaveLength(index + 1)
    accounts.push(process.request?.account)
    process.answer({ value: true })
  }
  await Promise.all(all)
  expect(accounts).toEqual(['one', 'two', 'three'])
})

test('after a process that cannot be started, the next operation starts another', async () => {
  const { start, processes } = fakeProcesses()
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
  { reply: undefined },
  { reply: { error: 'locked' } },
  { reply: { value: false } },
  { reply: { value: null } },
  { reply: { value: 'secret' } }
])('a secret is not reported as stored after the reply $reply', async ({ reply }) => {
  const { keychain, started } = testKeychain()
  const stored = keychain.store('account', 'secret')
  ;(await started()).answer(reply)
  expect(await stored).toBe(false)
})

test('closing kills the running operation and starts no waiting one', async () => {
  const { keychain, processes, started } = testKeychain()
  const all = [keychain.read('one'), keychain.read('two')]
  const process = await started()
  const closed = keychain.close()
  await vi.waitFor(() => expect(process.killed).toBe(true))
  process.answer(undefined) // how a killed process ends
  await turns()
  const startedLater = processes.length - 1
  for (const process of processes) process.answer(undefined)
  await Promise.all([closed, ...all])
  expect(startedLater).toBe(0)
})

/** Lets other work run that is ready. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await turn()
}

interface FakeProcess extends ChildProcess<KeychainRequest, KeychainReply> {
  request: KeychainRequest | undefined
  killed: boolean
  answer(reply: KeychainReply | undefined): void
}

function fakeProcesses(first?: 'started') {
  const processes: FakeProcess[] = []
  function start(): FakeProcess {
    let listener: (reply: KeychainReply | undefined) => void = () => {}
    const process: FakeProcess = {
      request: undefined,
      killed: false,
      send(request) {
        process.request = request
        if (first) listener(first)
      },
      onReply(replyListener) {
        listener = replyListener
      },
      kill() {
        process.killed = true
      },
      answer: (reply) => listener(reply)
    }
    processes.push(process)
    return process
  }
  return { start: start as unknown as StartProcess, processes }
}
