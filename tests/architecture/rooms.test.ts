import { expect, test } from 'vitest'
import { readSource, readSources } from './import-graph.ts'
import {
  dashboardKnowsOnlyBelow,
  dashboardKnowsOnlyTheContract,
  extensionStandsAlone,
  featuresStandAlone,
  importsAreWritten,
  innermostRoomsArePure,
  noBarrels,
  noCycles,
  packagesStayInTheirRoom,
  type Rule,
  roomsKnowOnlyInnerRooms,
  serviceDoesNotKnowTheDashboard
} from './rules.ts'

const sources = readSources()

/** A rule, and files that break it, by path and text. */
const RULES: [what: string, rule: Rule, files: Record<string, string>][] = [
  [
    'one room each imports Electron, SQLite, the keychain and undici',
    packagesStayInTheirRoom,
    { 'src-main/serve/planted.js': "require('electron')" }
  ],
  [
    'contract, core and search import neither Node nor a package that is not theirs',
    innermostRoomsArePure,
    { 'src-main/core/planted.ts': "import { join } from 'node:path'" }
  ],
  [
    'rooms import only rooms nearer to the contract',
    roomsKnowOnlyInnerRooms,
    { 'src-main/server/planted.ts': "import type { A } from '../store/open-library.ts'" }
  ],
  [
    'the dashboard imports the contract and the types of the API only',
    dashboardKnowsOnlyTheContract,
    { 'src-renderer/ui/planted.ts': "import { a } from '../../src-main/core/address.ts'" }
  ],
  [
    'the extension imports the contract and its own rooms only',
    extensionStandsAlone,
    { 'src-extension/shared/planted.ts': "import { a } from '../popup/popup.ts'" }
  ],
  [
    'the service does not import the dashboard',
    serviceDoesNotKnowTheDashboard,
    { 'src-main/server/planted.ts': "import { App } from '../../src-renderer/app/app.tsx'" }
  ],
  [
    'the dashboard’s rooms import only those below them',
    dashboardKnowsOnlyBelow,
    { 'src-renderer/shared/planted.ts': "await import('../features/tags/tags.tsx')" }
  ],
  [
    'a feature never imports another feature',
    featuresStandAlone,
    { 'src-renderer/features/a/planted.tsx': "import type { B } from '../b/b.ts'" }
  ],
  [
    'no files import each other in a circle',
    noCycles,
    { 'src-main/core/a.ts': "import { b } from './b.ts'", 'src-main/core/b.ts': "await import('./a.ts')" }
  ],
  ['there are no barrels', noBarrels, { 'src-main/core/all.ts': "export * from './address.ts'" }],
  [
    'no import is computed',
    importsAreWritten,
    { 'src-main/server/planted.ts': "const room = '../store/lock.ts'\nawait import(room)" }
  ]
]

test.for(RULES)('%s', ([, rule, files]) => {
  expect(rule(sources)).toEqual([])
  const planted = Object.entries(files).map(([path, text]) => readSource(path, text))
  expect(rule([...sources, ...planted])).toHaveLength(1)
})

test('the whole source is read', () => {
  expect(sources.length).toBeGreaterThanOrEqual(100)
  expect(sources.flatMap((file) => file.imports).length).toBeGreaterThanOrEqual(350)
})

test('every form of import is seen, and nothing in comments or strings is', () => {
  const text = `
    import a, { type B } from './b.ts'
    import type { C } from './c.ts'
    import './d.css'
    export { e } from '../e.ts'
    export type { F } from './f.ts'
    const g = await import('./g.ts')
    type H = import('./h.ts').H
    import i = require('./i.ts')
    const j = require('./j.ts')
    const k = await import(\`./k-\${a}.ts\`)
    // import l from './l.ts'
    const m = "import m from './m.ts'"
    const n = <a href="x">import o from './o.ts'</a>`
  expect(readSource('src-renderer/ui/planted.tsx', text).imports).toEqual([
    { to: 'src-renderer/ui/b.ts', typeOnly: false },
    { to: 'src-renderer/ui/c.ts', typeOnly: true },
    { to: 'src-renderer/ui/d.css', typeOnly: false },
    { to: 'src-renderer/e.ts', typeOnly: false },
    { to: 'src-renderer/ui/f.ts', typeOnly: true },
    { to: 'src-renderer/ui/g.ts', typeOnly: false },
    { to: 'src-renderer/ui/h.ts', typeOnly: true },
    { to: 'src-renderer/ui/i.ts', typeOnly: false },
    { to: 'src-renderer/ui/j.ts', typeOnly: false },
    { to: '(computed)', typeOnly: false }
  ])
})
