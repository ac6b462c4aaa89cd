// `npm run test:real`: checks the packaged program in dist/ as a person and an editor use it. Prints a line for each check, with
// the reason if one cannot run here, and exits with 1 if one fails.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKS, NotHere } from './checks.ts'
import { findApp, inFolder } from './packaged-app.ts'

/** Limit of a check that has none of its own, in seconds. */
const LIMIT_S = 90

// `npm run test:real -- package` packages the program first, on the stand-in, and then runs this.
if (process.argv[2] === 'package') {
  const file = join(import.meta.dirname, 'package-on-stand-in.js')
  process.exit(spawnSync(process.execPath, [file], { stdio: 'inherit' }).status ?? 1)
}
const app = findApp(join(import.meta.dirname, '../../dist'))
if (!app) {
  console.error('There is no packaged program in dist/: npm run package makes one.')
  process.exit(1)
}
console.log(`${app.executable}, on ${app.kind}`)
let failed = 0
for (const { name, notHere, limit = LIMIT_S, run } of CHECKS) {
  try {
    const reason = notHere?.(app)
    if (reason) throw new NotHere(reason)
    const result = inFolder((folder) => run(app, folder))
    console.log(`well      ${name}: ${await Promise.race([result, failAfter(limit)])}`)
  } catch (error) {
    const isHere = !(error instanceof NotHere)
    if (isHere) failed += 1
    console.log(`${isHere ? 'FAILED  ' : 'not here'}  ${name}: ${error instanceof Error ? error.message : error}`)
  }
}
process.exit(failed > 0 ? 1 : 0)

async function failAfter(seconds: number): Promise<never> {
  await sleep(seconds * 1000, undefined, { ref: false })
  throw new Error(`not done within ${seconds} s`)
}
