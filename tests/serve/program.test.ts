import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { asTyped } from '../../src-main/host/own-program.ts'
import { runCommandLine } from '../../src-main/serve/program.ts'
import { earmark } from '../support/command-line.ts'
import { tempFolder } from '../support/temp-folder.ts'

test.for([
  [['import', 'b.html'], { npm_config_dry_run: 'true' }, '--dry-run'],
  [['connect', 'cursor'], { npm_config_undo: 'true' }, '--undo']
] as const)('%j is refused where npm kept an option for itself', async ([args, kept, option]) => {
  const stderr = new PassThrough({ encoding: 'utf8' })
  const host = Object.assign(new PassThrough(), {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    kill: () => {}
  })
  const env = { npm_lifecycle_event: 'earmark', ...kept }
  expect(await runCommandLine([...args], host as never, env)).toBe(2)
  expect(stderr.read()).toBe(
    `error: npm kept ${option} for itself. Put -- before the command: npm run -s earmark -- ${args.join(' ')} ${option}\n`
  )
})

test('every command that messages may name is shown as a person types it', async () => {
  const { stdout } = await earmark(['--help'])
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]+) .*\S/gm)].map(([, name = '']) => name)
  expect(names).toContain('check-links')
  // Help itself is part of all, and browsers start the native host.
  const shown = names.filter((name) => !['help', 'native-host'].includes(name))
  for (const name of shown) expect(asTyped(`earmark ${name}`)).not.toBe(`earmark ${name}`)
})

test('an option that npm did not keep, or one that also stands in an .npmrc, is no reason to refuse', async () => {
  const stdout = new PassThrough({ encoding: 'utf8' })
  const host = Object.assign(new PassThrough(), {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    kill: () => {}
  })
  const env = { npm_lifecycle_event: 'earmark', npm_config_json: 'true', npm_config_port: 'true' }
  expect(await runCommandLine(['search', '--help'], host as never, env)).toBe(0)
  expect((await earmark(['search', 'x', '--data', tempFolder()])).code).toBe(0)
})
