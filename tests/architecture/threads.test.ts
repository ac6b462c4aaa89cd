import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { builtForTests } from '../support/program.ts'

test('a thread that is handed TypeScript ends at once: its stripper is WebAssembly', async () => {
  const thread = new Worker(new URL('../../src-main/store/worker/library-thread.ts', import.meta.url))
  const [error] = await once(thread, 'error')
  expect(error).toMatchObject({ code: 'ERR_UNKNOWN_FILE_EXTENSION' })
})

test('the thread that reads pages has no WebAssembly', async () => {
  const program = builtForTests('page-thread')
  const source = `import('${program}').then(() => {
    require('node:worker_threads').parentPort.postMessage(typeof WebAssembly)
  })`
  const thread = new Worker(source, { eval: true })
  expect(await once(thread, 'message')).toEqual(['undefined'])
  await thread.terminate()
})
