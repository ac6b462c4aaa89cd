import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import type { Figure } from './harness.ts'

/** The `--n` of each short form in `npm test`; the long form is `npm run reliability -- NAME`. */
export const DAILY: Record<string, string> = { crash: '3', powerloss: '6', leak: '10', ssrf: '12' }

/** The same in `npm run test:all` only. */
export const EXTENDED: Record<string, string> = {
  fulldisk: '1',
  corrupt: '3',
  instance: '2',
  fuzz: '400',
  load: '500',
  clock: '1',
  sync: '2',
  syncthing: '1',
  webdav: '1',
  hostile: '30'
}

/** Figures that a machine may miss while it runs other tests too. */
const BUSY =
  /^(restart p99|the other says so, p99|searches\/s of 16 agents|their p99|search p99|longest wait of a search)$/

async function run(name: string, ...args: string[]) {
  const file = join(tempFolder(), 'figures.jsonl')
  writeFileSync(file, '')
  const child = spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, `${name}.ts`), ...args], {
    env: { ...process.env, NODE_OPTIONS: '', EARMARK_RELIABILITY_FIGURES: file },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const line = (await text(child.stdout)).trim()
  const code = await closed
  const { figures } = JSON.parse(readFileSync(file, 'utf8') || '{"figures":[]}') as { figures: Figure[] }
  const missed = figures.filter(({ what, met }) => !met && !BUSY.test(what)).map(({ what }) => what)
  return { code, line, missed, isSkipped: code === 77 && /: skipped: \S/.test(line) }
}

/** Runs a short form and expects that it meets its targets. */
export async function expectMet(name: string, n: string): Promise<void> {
  const { line, missed, isSkipped } = await run(name, '--n', n)
  if (isSkipped) return
  expect(missed, line).toEqual([])
  expect(line).toMatch(/: (met|MISSED)$/)
}

/** Runs a test with its planted fault and expects that it finds the fault. */
export async function expectFound(name: string): Promise<void> {
  const { code, line, isSkipped } = await run(name, '--n', name === 'fuzz' ? '200' : '1', '--plant')
  if (!isSkipped) expect([code, line]).toEqual([1, expect.stringMatching(/: MISSED$/)])
}
