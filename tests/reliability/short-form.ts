import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import type { Figure } from './support.ts'

/** How the short form of each is asked for; the long one is `npm run reliability -- NAME`. Part of `npm test`. */
export const DAILY: Record<string, string> = { crash: '3', powerloss: '6', leak: '10', ssrf: '12' }

/** Those that only `npm run test:all` has. */
export const EXTENDED: Record<string, string> = {
  fulldisk: '1',
  corrupt: '3',
  instance: '2',
  fuzz: '400',
  load: '500',
  clock: '1',
  timing: '20',
  sync: '2',
  syncthing: '1',
  webdav: '1',
  hostile: '30'
}

/** Beside other tests a machine is not what their long forms ask for. */
const BUSY =
  /^(restart p99|the other says so, p99|searches\/s of 16 agents|their p99|search p99|longest wait of a search)$/

interface Outcome {
  code: number | null
  /** All it printed: one line. */
  line: string
  /** What was missed, but for what a busy machine cannot meet. */
  missed: string[]
}

async function run(name: string, ...args: string[]): Promise<Outcome> {
  const script = join(import.meta.dirname, `${name}.ts`)
  const file = join(tempFolder(), 'figures.jsonl')
  writeFileSync(file, '')
  const env = { ...process.env, NODE_OPTIONS: '', EARMARK_RELIABILITY_FIGURES: file }
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let line = ''
  child.stdout.on('data', (chunk) => {
    line += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  const { figures } = JSON.parse(readFileSync(file, 'utf8') || '{"figures":[]}') as { figures: Figure[] }
  const missed = figures.filter(({ what, met }) => !met && !BUSY.test(what)).map(({ what }) => what)
  return { code, line: line.trim(), missed }
}

/** Runs the short form of one and expects it to meet its targets. */
export async function expectMet(name: string, n: string): Promise<void> {
  const { code, line, missed } = await run(name, '--n', n)
  if (code === 77) return expect(line).toMatch(/: skipped: \S/)
  expect(missed, line).toEqual([])
  expect(line).toMatch(/: (met|MISSED)$/)
}

/** Runs one with its fault planted and expects it to find that. */
export async function expectFound(name: string): Promise<void> {
  const { code, line } = await run(name, '--n', name === 'fuzz' ? '200' : '1', '--plant')
  if (code === 77) return expect(line).toMatch(/: skipped: \S/)
  expect([code, line]).toEqual([1, expect.stringMatching(/: MISSED$/)])
}
