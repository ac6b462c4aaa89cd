import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, join, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

// It imports JSON without saying so, which only bundlers take.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context)
})
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
hooks.deregister()

const root = join(import.meta.dirname, '../..')
const paths = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What GitHub's own parser finds wrong with a workflow. */
async function faultsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  if (value) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

test('there is one for tests, one for real Electron and one for releases', () => {
  expect(paths.map((path) => basename(path))).toEqual(['ci.yml', 'electron.yml', 'release.yml'])
})

describe.each(paths)('%s', (path) => {
  const text = read(path)

  test('is a workflow to GitHub’s parser', async () => {
    expect(await faultsOf(path, text)).toEqual([])
  })

  test('runs scripts there are, for each system, and may only read unless a job needs more', () => {
    const scripts = Array.from(text.matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name)
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts))
    for (const os of ['ubuntu', 'macos', 'windows']) expect(text).toContain(`${os}-`)
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
  })
})

test('the one for real Electron runs on a change of what it tries, which is all there', () => {
  const [, list = ''] = /\n {4}paths:\n((?: {6}- '.*'\n)+)/.exec(read('.github/workflows/electron.yml')) ?? []
  const patterns = Array.from(list.matchAll(/'(.*)'/g), ([, pattern = '']) => pattern)
  for (const pattern of patterns) expect(globSync(pattern, { cwd: root }), pattern).not.toEqual([])
  const changed = [
    'electron-builder.json',
    'electron.vite.config.ts',
    'packaging/earmark.cmd',
    'src-main/desktop/main.ts',
    'src-main/host/own-program.ts',
    'src-main/keychain/keychain-child.ts',
    'src-main/web/decoder-child.ts',
    'src-main/serve/runtime.js',
    'tests/e2e/capture.spec.ts',
    'tests/e2e/desktop.spec.ts',
    'tests/real/smoke.ts',
    'tests/support/electron/desktop.ts'
  ]
  const unseen = changed.filter((file) => !patterns.some((pattern) => matchesGlob(file, pattern)))
  expect(unseen).toEqual([])
})

test('a release has a package for each processor of a Mac', () => {
  const [, systems = ''] = /os: \[(.*)\]/.exec(read('.github/workflows/release.yml')) ?? []
  expect(systems.split(', ')).toEqual(expect.arrayContaining(['macos-15', 'macos-15-intel']))
})

test.for([
  ['matrix.os }}', 'matrix.os }'],
  ['steps:', 'step:'],
  ['uses: actions/checkout@v4', 'use: actions/checkout@v4'],
  ["runner.os == 'Linux'", 'runner.os == "Linux"']
] as const)('one with %s as %s is no workflow', async ([from, to]) => {
  const text = read('.github/workflows/ci.yml')
  expect(text).toContain(from)
  expect(await faultsOf('ci.yml', text.replace(from, to))).not.toEqual([])
})
