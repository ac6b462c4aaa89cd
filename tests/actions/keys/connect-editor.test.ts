import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connectEditor } from '../../../src-main/actions/keys/connect-editor.ts'
import { createKey } from '../../../src-main/actions/keys/keys.ts'
import { callApi, testService } from '../../support/service.ts'
import { testPorts } from '../ports.ts'

const ASKED = { newKey: false, keyFile: true, dryRun: false }
const OWN = { program: { command: '/opt/Earmark/earmark', args: [], packaged: true }, data: undefined }

const written = (file: string) => JSON.parse(readFileSync(file, 'utf8')).mcpServers.earmark

test('an editor gets a new key the first time and the same key again, unless a new key is requested', async () => {
  const ports = await testPorts()
  const first = await connectEditor(ports, 'cursor', ASKED, OWN)
  expect(first.key).toMatchObject({ name: 'Cursor', made: true })
  expect(written(first.file)).toEqual({
    command: '/opt/Earmark/earmark',
    args: ['mcp-stdio', '--key-id', first.key?.id, '--names', 'underscore']
  })
  const again = await connectEditor(ports, 'cursor', ASKED, OWN)
  expect(again).toMatchObject({ key: { id: first.key?.id, made: false }, change: [] })
  const newer = await connectEditor(ports, 'cursor', { ...ASKED, newKey: true }, OWN)
  expect(newer.key?.id).not.toBe(first.key?.id)
})

test('a named key is used; an unknown key and a key whose secret is stored nowhere are not found', async () => {
  const ports = await testPorts()
  const kept = await createKey(ports, { name: 'mine', readOnly: false, keyFile: true })
  const shown = await createKey(ports, { name: 'shown', readOnly: false, keyFile: false })
  expect(await connectEditor(ports, 'cursor', { ...ASKED, keyId: kept.id }, OWN)).toMatchObject({
    key: { id: kept.id, name: 'mine', made: false }
  })
  for (const keyId of [shown.id, 'nobody']) {
    await expect(connectEditor(ports, 'zed', { ...ASKED, keyId }, OWN)).rejects.toMatchObject({ code: 'not-found' })
  }
})

test('a key that is stored nowhere else is written to the editor’s file', async () => {
  const ports = await testPorts()
  const { file } = await connectEditor(ports, 'cursor', { ...ASKED, keyFile: false }, OWN)
  expect(written(file)).toMatchObject({
    args: ['mcp-stdio', '--names', 'underscore'],
    env: { EARMARK_KEY: expect.stringMatching(/^emk_/) }
  })
})

test('the editor’s command names a data folder that is not the default', async () => {
  const ports = await testPorts()
  const { file } = await connectEditor(ports, 'cursor', ASKED, { ...OWN, data: '/my/data' })
  expect(written(file).args.slice(-2)).toEqual(['--data', '/my/data'])
})

test('a dry run and an unknown editor create no key', async () => {
  const ports = await testPorts()
  const tried = await connectEditor(ports, 'cursor', { ...ASKED, dryRun: true }, OWN)
  expect(tried.key).toBeNull()
  expect(existsSync(tried.file)).toBe(false)
  await expect(connectEditor(ports, 'emacs', ASKED, OWN)).rejects.toMatchObject({ code: 'not-found' })
  expect(await ports.library.listKeys()).toEqual([])
})

test('the API lists editors and refuses an unknown editor and a malformed request', async () => {
  const service = await testService()
  const listed = (await (await callApi(service, 'GET', '/editors')).json()) as { id: string }[]
  expect(listed.map(({ id }) => id)).toContain('claude-code')
  const undo = await callApi(service, 'POST', '/editors/nobody/disconnect', {})
  expect(undo.status).toBe(404)
  const wrong = await callApi(service, 'POST', '/editors/cursor/connect', { dryRun: 'yes' })
  expect(wrong.status).toBe(400)
})
