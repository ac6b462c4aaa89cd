import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { launchProgram, withoutKeychain } from '../support/program.ts'
import { tempFolder } from '../support/temp-folder.ts'

const register = pathToFileURL(join(import.meta.dirname, '../support/electron/register.js')).href
const desktop = join(import.meta.dirname, '../../out/main/desktop.js')

/** Runs the packaged app's executable with a command, as a machine without Node has it. */
async function runPackaged(...args: string[]) {
  const env = { ...withoutKeychain, NODE_OPTIONS: `--import ${register}`, STAND_IN_PACKAGED: '1' }
  const { code, stdout, stderr } = await launchProgram(args, { env, file: desktop }).ended
  return { code, stdout, stderr }
}

test('the packaged app answers a command, asks the keychain in a utility process, and leaves no lock', async () => {
  const data = tempFolder()
  const ended = await runPackaged('keys', 'create', '--name', 'x', '--json', '--data', data)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ended.stdout)).toMatchObject({ key: expect.stringMatching(/^emk_/), keychain: 'shown-once' })
  const lock = new DatabaseSync(join(data, 'earmark.lock'))
  lock.exec('BEGIN EXCLUSIVE')
  lock.close()
})

test('the packaged app says how a command ended', async () => {
  expect(await runPackaged('nonsense')).toMatchObject({ code: 2, stdout: '' })
  expect(await runPackaged('--version')).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
})
