/** What stands where Earmark's own files should, and what its commands say of it. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Ended, launchProgram, runProgram, withoutKeychain } from '../support/program.ts'
import { tempFolder } from '../support/temp-folder.ts'

async function libraryOfOne(): Promise<string> {
  const data = tempFolder()
  const list = join(tempFolder(), 'pages.txt')
  writeFileSync(list, 'https://a.example/\n')
  expect((await runProgram(['import', list, '--data', data], withoutKeychain)).code).toBe(0)
  return data
}

async function countOf(data: string): Promise<number> {
  const { stdout } = await runProgram(['search', 'a', '--json', '--data', data], withoutKeychain)
  return (JSON.parse(stdout) as { total: number }).total
}

function expectClear({ code, stderr }: Ended, text: RegExp): void {
  expect([code, stderr]).toEqual([1, expect.stringMatching(text)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/unexpectedly|damaged/)
}

test('garbage in the lock keeps nobody out, and locks all the same', async () => {
  const data = await libraryOfOne()
  writeFileSync(join(data, 'earmark.lock'), 'garbage '.repeat(1000))
  const serving = launchProgram(['serve', '--json', '--port', '0', '--no-fetch', '--data', data])
  expect(await serving.firstLine).toMatch(/^{"url"/)
  writeFileSync(join(data, 'earmark.lock'), 'garbage '.repeat(1000))
  expectClear(await runProgram(['serve', '--port', '0', '--data', data]), /already serving/)
  expect(await countOf(data)).toBe(1)
})

const LOCKS: [what: string, make: (file: string) => void][] = [
  ['a folder', (file) => mkdirSync(file)],
  ['a pipe', (file) => execFileSync('mkfifo', [file])]
]

test.each(LOCKS)('%s in the place of the lock is told, and the library is not blamed', async (_, make) => {
  const data = await libraryOfOne()
  const lock = join(data, 'earmark.lock')
  rmSync(lock)
  make(lock)
  for (const command of [['serve'], ['keys', 'list'], ['doctor'], ['restore', '--newest']]) {
    expectClear(await runProgram([...command, '--data', data], withoutKeychain), /lock/)
  }
  rmSync(lock, { recursive: true })
  expect(await countOf(data)).toBe(1)
})

test('a file in the place of the backups stops no service; a backup and doctor say so', async () => {
  const data = await libraryOfOne()
  rmSync(join(data, 'backups'), { recursive: true, force: true })
  writeFileSync(join(data, 'backups'), 'Dear diary')
  expect(await countOf(data)).toBe(1)
  expectClear(await runProgram(['backup', '--data', data], withoutKeychain), /folder of backups.*Move it away/)
  const { stdout } = await runProgram(['doctor', '--json', '--data', data], withoutKeychain)
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] }
  expect(findings).toContainEqual(expect.objectContaining({ check: 'backups', state: 'problem' }))
  expect(readFileSync(join(data, 'backups'), 'utf8')).toBe('Dear diary')
})

describe('in the place of the library', () => {
  test.each(LOCKS)('%s is told, and moved away by a restore', async (_, make) => {
    const data = await libraryOfOne()
    const backup = join(tempFolder(), 'kept.sqlite')
    expect((await runProgram(['backup', backup, '--data', data], withoutKeychain)).code).toBe(0)
    const file = join(data, 'library.sqlite')
    rmSync(file)
    make(file)
    for (const command of [
      ['serve', '--port', '0'],
      ['keys', 'list']
    ]) {
      expectClear(await runProgram([...command, '--data', data], withoutKeychain), /no file at all/)
    }
    expect((await runProgram(['doctor', '--data', data], withoutKeychain)).code).toBe(1)
    expect(await runProgram(['restore', backup, '--data', data], withoutKeychain)).toMatchObject({ code: 0 })
    expect(await countOf(data)).toBe(1)
  })

  test.runIf(process.platform === 'linux')('a healthy one that may not be written is not blamed', async () => {
    // Not below a folder that only root may enter.
    const folder = mkdtempSync('/tmp/earmark-other-')
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    const data = join(folder, 'data')
    cpSync(await libraryOfOne(), data, { recursive: true })
    const file = join(data, 'library.sqlite')
    const whole = readFileSync(file)
    chmodSync(file, 0o400)
    const command = asOther(data)
    for (const args of [
      ['serve', '--port', '0'],
      ['keys', 'list'],
      ['doctor', '--repair']
    ]) {
      const { code, stdout, stderr } = await command([...args, '--data', data])
      expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringMatching(/read-only or another user/)])
      expect(`${stdout}${stderr}`).not.toMatch(/unexpectedly|damaged|restore/)
    }
    expect(readFileSync(file)).toEqual(whole)
    chmodSync(file, 0o600)
    expect((await command(['keys', 'list', '--data', data])).code).toBe(0)
    expect(existsSync(file)).toBe(true)
  })
})

/** Runs commands as a user whom modes apply to, which they do not to root. */
function asOther(data: string): (args: string[]) => Promise<Ended> {
  if (process.getuid?.() !== 0) return (args) => runProgram(args, withoutKeychain)
  execFileSync('chown', ['-R', '65534:65534', data])
  const program = join(import.meta.dirname, '../../out/main/earmark.js')
  return (args) =>
    new Promise((resolve) => {
      const env = { ...withoutKeychain, HOME: data }
      const child = spawn(process.execPath, [program, ...args], { env, uid: 65534, gid: 65534 })
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      child.once('close', (code) => resolve({ code, stdout, stderr }))
    })
}
