/**
 * Reads pages and PDFs on threads that come and go, while a service saves and searches beside them: WebAssembly in such
 * threads ends the whole process now and then (see docs/decisions/016-no-webassembly-in-threads.md).
 *
 * The planted fault is a process that aborts half way.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { kept, options, report, tempFolder, tried } from './support.ts'

const READS = options.n(10_000)

const program = join(import.meta.dirname, '../../out/tests/stress-threads.js')
const args = [program, tempFolder(), String(READS), String(options.seed), ...(options.plant ? ['die'] : [])]
const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
const crashed = status !== 0
if (crashed && !options.plant) process.stderr.write(stderr)
const did = crashed ? { reads: 0, cut: 0, services: 0, saves: 0, searches: 0, found: 0 } : JSON.parse(stdout)

report('threads', [
  tried('pages and PDFs read', did.reads, READS),
  tried('threads ended in the middle', did.cut, Math.floor(READS / 200)),
  tried('saves beside them', did.saves, 1),
  tried('searches beside them', did.searches, 1),
  kept(did.saves - did.found),
  { what: 'processes that died', value: crashed ? `1 (${signal ?? status})` : '0', target: '0', met: !crashed }
])
