import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'

const root = join(import.meta.dirname, '../..')

// One file for each thing that must be refused, and what refuses it. Later overrides in biome.json replace the options
// of earlier ones, so each ban is tried in each room it holds for.
const BANNED: [path: string, text: string, rule: string][] = [
  ...[
    'actions',
    'server',
    'mcp',
    'core',
    'search',
    'contract',
    'store',
    'serve',
    'host',
    'browsers',
    'web',
    'keychain',
    'formats'
  ].map((room): [string, string, string] => [`src-main/${room}/electron.ts`, use('electron'), 'noRestrictedImports']),
  ['src-main/service.ts', use('electron'), 'noRestrictedImports'],
  ['src-renderer/ui/electron.ts', use('electron'), 'noRestrictedImports'],
  ['src-main/core/node.ts', use('node:path'), 'noNodejsModules'],
  ['src-main/core/node-prefix.ts', use('node:path'), 'noRestrictedImports'],
  ['src-main/core/bare-node.ts', use('path'), 'noNodejsModules'],
  ['src-main/contract/node.ts', use('node:path'), 'noNodejsModules'],
  ['src-main/search/node.ts', use('node:path'), 'noNodejsModules'],
  ...['server', 'mcp'].flatMap((room) =>
    ['../store/x.ts', '../keychain/x.ts', '../web/x.ts', '../formats/x.ts', 'better-sqlite3'].map(
      (to): [string, string, string] => [
        `src-main/${room}/${to.replaceAll(/\W/g, '')}.ts`,
        use(to),
        'noRestrictedImports'
      ]
    )
  ),
  ['src-main/server/routes/deep.ts', use('../../store/x.ts'), 'noRestrictedImports'],
  ['src-main/mcp/tools/type.ts', "import type { a } from '../../store/x.ts'\nexport type b = a", 'noRestrictedImports'],
  ['src-renderer/store.ts', use('../src-main/store/x.ts'), 'noRestrictedImports'],
  ['src-renderer/core.ts', use('../src-main/core/x.ts'), 'noRestrictedImports'],
  ['src-renderer/service.ts', use('../src-main/service.ts'), 'noRestrictedImports'],
  ['src-renderer/features/a/app.ts', use('../../../src-main/server/app.ts'), 'noRestrictedImports'],
  ['src-renderer/node.ts', use('node:path'), 'noRestrictedImports'],
  ['src-extension/core.ts', use('../src-main/core/x.ts'), 'noRestrictedImports'],
  ['src-extension/popup/api.ts', use('../../src-main/server/api.ts'), 'noRestrictedImports'],
  ['src-extension/popup/ui.ts', use('../../src-renderer/ui/x.ts'), 'noRestrictedImports'],
  ['src-extension/node.ts', use('node:path'), 'noRestrictedImports'],
  ['src-main/core/barrel.ts', "export { a } from './x.ts'", 'noBarrelFile'],
  ['src-renderer/ui/all.ts', "export * from './x.ts'", 'noReExportAll'],
  ['src-main/actions/circle-a.ts', "import { b } from './circle-b.ts'\nexport const a = () => b", 'noImportCycles'],
  ['src-main/actions/circle-b.ts', "import { a } from './circle-a.ts'\nexport const b = () => a", 'noImportCycles'],
  ['src-main/store/any.ts', 'export const a = (b: any) => b', 'noExplicitAny']
]

const ALLOWED: [path: string, text: string][] = [
  ['src-main/desktop/electron.ts', use('electron')],
  ['src-main/store/sqlite.ts', use('better-sqlite3')],
  ['src-main/server/action.ts', use('../actions/x.ts')],
  ['src-renderer/contract.ts', use('../src-main/contract/x.ts')],
  ['src-extension/contract.ts', use('../src-main/contract/x.ts')],
  ['src-renderer/shared/api.ts', "import type { Api } from '../../src-main/server/api.ts'\nexport type A = Api"]
]

function use(specifier: string): string {
  return `import { a } from '${specifier}'\nexport const used = a`
}

test('the linter refuses every import that crosses a line', async () => {
  const found = await lint(BANNED)
  expect(BANNED.filter(([path, , rule]) => !found.get(path)?.includes(rule))).toEqual([])
})

test('the linter lets pass what a room may know', async () => {
  const found = await lint(ALLOWED)
  expect(ALLOWED.map(([path]) => found.get(path) ?? [])).toEqual(ALLOWED.map(() => []))
})

test('the compiler looks at contract, core and search without the types of Node', () => {
  const config = JSON.parse(readFileSync(join(root, 'src-main/core/tsconfig.json'), 'utf8'))
  expect(config.include).toEqual(['**/*.ts', '../contract/**/*.ts', '../search/*.ts'])
  expect(config.compilerOptions).toMatchObject({ types: [], lib: [expect.stringMatching(/^ES20\d\d$/)] })
})

test('the compiler refuses Node and the DOM in contract and core', async () => {
  const config = { extends: join(root, 'src-main/core/tsconfig.json'), include: ['*.ts', PLATFORM] }
  const folder = plant([
    ['tsconfig.json', JSON.stringify(config)],
    ['dom.ts', 'export const title = () => document.title'],
    ['node.ts', 'export const path = () => process.cwd()'],
    ['fine.ts', "export const host = () => new URL('https://a.example/').host"]
  ])
  const output = await run('typescript/bin/tsc', ['-p', '.'], folder)
  expect(output).toContain("Cannot find name 'document'")
  expect(output).toContain("Cannot find name 'process'")
  expect(output).not.toContain('fine.ts')
})

const PLATFORM = join(root, 'src-main/core/platform.d.ts')

/** The rules that spoke, by file. */
async function lint(files: [path: string, text: string, ...unknown[]][]): Promise<Map<string, string[]>> {
  const folder = plant(files)
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  const output = await run('@biomejs/biome/bin/biome', ['lint', '--reporter=json', '--max-diagnostics=none'], folder)
  const report = JSON.parse(output) as Report
  expect(report.summary.unchanged).toBe(files.length + 1)
  const found = new Map<string, string[]>()
  for (const { category, location } of report.diagnostics) {
    const path = location.path.replaceAll('\\', '/')
    found.set(path, [...(found.get(path) ?? []), category.split('/').at(-1) ?? ''])
  }
  return found
}

interface Report {
  summary: { unchanged: number }
  diagnostics: { category: string; location: { path: string } }[]
}

function plant(files: [path: string, text: string, ...unknown[]][]): string {
  const folder = tempFolder()
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** What a checker prints; that it finds something is no failure here. */
async function run(program: string, args: string[], cwd: string): Promise<string> {
  // What it remembers goes with the test: another test of this process may just have had a home of its own.
  const env = { ...process.env, XDG_CACHE_HOME: tempFolder() }
  const call = promisify(execFile)(process.execPath, [join(root, 'node_modules', program), ...args], { cwd, env })
  return call.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout
  )
}
