import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ROWS = [
  ['the installed app', { command: '/opt/Earmark/earmark', args: [], packaged: true }],
  ['a checkout', { command: '/usr/bin/node', args: ['/earmark/out/main/earmark.js'], packaged: false }]
] as const

test.for(ROWS)('%s gives the advice that fits it', async ([, program]) => {
  const dashboard = tempFolder()
  writeFileSync(join(dashboard, 'index.html'), '<!doctype html>\n<html lang="en"></html>')
  const service = await testService({ dashboard, program: { ...program, args: [...program.args] } })
  const ask = async (path: string, init?: RequestInit) =>
    (await service.fetch(new Request(`http://127.0.0.1${path}`, init))).text()
  const told = [
    await ask('/api/tools/mcp', { method: 'POST' }),
    await ask('/api/status'),
    await ask('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"token":"x"}'
    })
  ]
  for (const text of told) {
    expect(text.includes('npm run -s earmark')).toBe(!program.packaged)
    // Whoever asks without a key or a session is told no path of this machine.
    expect(text).not.toContain(program.command)
  }
  for (const view of ['/', '/login', '/profile/api-keys']) {
    expect((await ask(view)).includes('data-packaged')).toBe(program.packaged)
  }
  expect(await (await callApi(service, 'GET', '/status')).json()).toMatchObject({
    program: { command: program.command, args: program.args }
  })
})
