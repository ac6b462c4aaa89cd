import { statSync } from 'node:fs'
import { expect } from 'vitest'
import { type Ended, type Running, runProgram, startProgram, withoutKeychain } from './program.ts'
import { runs } from './runs.ts'
import { tempFolder } from './temp-folder.ts'

/** A command's JSON, as far as any of them goes. */
interface Printed {
  undo: number
  id: string
  key: string
  prefix: string
  login: string
  organizations: object[]
  keys: { name: string; expiresAt: string | null; createdAt: string }[]
}

export function earmark(args: string[]): Promise<Ended> {
  return runProgram(args, withoutKeychain)
}

/** A command that must succeed, and the one JSON object it prints. */
export async function json(args: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await earmark([...args, '--json'])
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  expect(stdout.endsWith('}\n')).toBe(true)
  return JSON.parse(stdout)
}

export async function keysIn(data: string): Promise<Printed['keys']> {
  return (await json(['keys', 'list', '--data', data])).keys
}

/** Exit 1, and one line as JSON; in `npm run test:full` the same on stderr for a person too. */
export async function expectProblem(args: string[], code: string, message: RegExp): Promise<void> {
  const wanted = await earmark([...args, '--json'])
  expect({ code: wanted.code, stderr: wanted.stderr }, wanted.stdout).toEqual({ code: 1, stderr: '' })
  const { error } = JSON.parse(wanted.stdout)
  expect(error).toStrictEqual({ code, message: expect.stringMatching(message) })
  if (runs(false, true)) await expectPlainProblem(args, error.message)
}

/** Exit 1, and one line on stderr. */
export async function expectPlainProblem(args: string[], message: string): Promise<void> {
  expect(await earmark(args)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
  expect(message).not.toContain('\n')
}

export function started(): Promise<Running> {
  return startProgram(tempFolder(), [], { env: withoutKeychain })
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}
