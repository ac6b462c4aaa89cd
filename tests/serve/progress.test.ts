import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { drawProgress, withProgress } from '../../src-main/serve/progress.ts'

/** A terminal, or what is none, that keeps what is drawn on it. */
function screen(isTTY: boolean): { output: NodeJS.WriteStream; drawn: string[] } {
  const drawn: string[] = []
  const output = { isTTY, write: (text: string) => drawn.push(text) > 0 }
  return { output: output as unknown as NodeJS.WriteStream, drawn }
}

async function pass(output: NodeJS.WriteStream, fault?: Error): Promise<void> {
  const bytes = Readable.from([Buffer.alloc(50), Buffer.alloc(50)])
  const sink = new Writable({ write: (_, __, next) => next(fault) })
  await pipeline(bytes, withProgress(100, output), sink)
}

test('a terminal sees how far it is, and nothing of it in the end', async () => {
  const { output, drawn } = screen(true)
  await pass(output)
  expect(drawn[0]).toBe(`\r[${'#'.repeat(15)}${' '.repeat(15)}]  50 %\u001b[K`)
  expect(drawn.at(-1)).toBe('\r\u001b[K')
})

test('a line that broke off is cleared too', async () => {
  const { output, drawn } = screen(true)
  await expect(pass(output, new Error('gone'))).rejects.toThrow('gone')
  expect(drawn.at(-1)).toBe('\r\u001b[K')
})

test('what is no terminal sees nothing', async () => {
  const { output, drawn } = screen(false)
  await pass(output)
  expect(drawn).toEqual([])
})

test('a share that is done is drawn over the one before, and cleared', () => {
  const { output, drawn } = screen(true)
  const progress = drawProgress(output)
  progress.clear()
  expect(drawn).toEqual([])
  progress.draw(0)
  progress.draw(1.2)
  progress.clear()
  expect(drawn).toEqual([`\r[${' '.repeat(30)}]   0 %\u001b[K`, `\r[${'#'.repeat(30)}] 100 %\u001b[K`, '\r\u001b[K'])
  const other = screen(false)
  drawProgress(other.output).draw(0.5)
  expect(other.drawn).toEqual([])
})
