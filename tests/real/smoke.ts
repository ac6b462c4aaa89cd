// `npm run test:real`: tries the packaged program in dist/ as a person and an editor would, and prints a table. It
// ends with 1 where one thing is not as it should be. What cannot be tried here says why.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotHere } from './check.ts'
import { commandChecks } from './checks/commands.ts'
import { enduranceChecks } from './checks/endurance.ts'
import { windowChecks } from './checks/window.ts'
import { findApp } from './packaged-app.ts'

/** Most that a check may take which names no limit of its own, in seconds. */
const LIMIT_S = 90

// `npm run test:real -- package` makes a packaged program first, on the stand-in, and runs this for it.
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
for (const check of [...windowChecks, ...commandChecks, ...enduranceChecks]) {
  const reason = check.notHere?.(app)
  if (reason) {
    console.log(`not here  ${check.name}: ${reason}`)
    continue
  }
  try {
    console.log(`well      ${check.name}: ${await within(check.limit ?? LIMIT_S, check.run(app))}`)
  } catch (error) {
    if (error instanceof NotHere) {
      console.log(`not here  ${check.name}: ${error.message}`)
      continue
    }
    failed += 1
    console.log(`FAILED    ${check.name}: ${error instanceof Error ? error.message : error}`)
  }
}
process.exit(failed > 0 ? 1 : 0)

async function within(seconds: number, work: Promise<string>): Promise<string> {
  const stop = new AbortController()
  const late = sleep(seconds * 1000, undefined, stop).then(() => {
    throw new Error(`not done within ${seconds} s`)
  })
  return Promise.race([work, late]).finally(() => stop.abort())
}
