import { statSync } from 'node:fs'
import { expect } from 'vitest'
import { type Ended, type Running, runProgram, startProgram, withoutKeychain } from './program.ts'
import { tempFolder } from './temp-folder.ts'

/** A command's JSON, as far as any of them goes. */
interface Printed {
  undo: number
  id: string
  key: string
  prefix: string
  login: string
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

/** Exit 1, and one line: on stderr for a person, as JSON for a program. */
export async function expectProblem(args: string[], code: string, message: RegExp): Promise<void> {
  const plain = await earmark(args)
  expect({ code: plain.code, stdout: plain.stdout }, plain.stderr).toEqual({ code: 1, stdout: '' })
  expect(plain.stderr).toMatch(message)
  expect(plain.stderr.trimEnd().split('\n')).toHaveLength(1)
  const wanted = await earmark([...args, '--json'])
  expect({ code: wanted.code, stderr: wanted.stderr }).toEqual({ code: 1, stderr: '' })
  expect(JSON.parse(wanted.stdout)).toStrictEqual({ error: { code, message: plain.stderr.trimEnd() } })
}

export function started(): Promise<Running> {
  return startProgram(tempFolder(), [], { env: withoutKeychain })
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}
