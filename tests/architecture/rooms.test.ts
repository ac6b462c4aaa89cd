import { expect, test } from 'vitest'
import { readSource, readSources, type SourceFile } from './import-graph.ts'
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

/** What the rule says once these files, given as path and text, stand beside the real ones. */
function planted(rule: Rule, files: Record<string, string>): string[] {
  const added: SourceFile[] = Object.entries(files).map(([path, text]) => readSource(path, text))
  return rule([...sources, ...added])
}

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

test('Electron, SQLite, the keychain and the way to the web are each imported by one room only', () => {
  expect(packagesStayInTheirRoom(sources)).toEqual([])
})

test.for([
  ["import { app } from 'electron'", 'src-main/actions/planted.ts', 'electron'],
  ["import { app } from 'electron/main'", 'src-main/host/planted.ts', 'electron/main'],
  ["import type { BrowserWindow } from 'electron'", 'src-main/service.ts', 'electron'],
  ["const electron = require('electron')", 'src-main/serve/planted.js', 'electron'],
  ["await import('electron')", 'src-renderer/ui/planted.tsx', 'electron'],
  ["import Sqlite from 'better-sqlite3'", 'src-main/server/planted.ts', 'better-sqlite3'],
  ["import Sqlite from 'better-sqlite3'", 'src-main/mcp/planted.ts', 'better-sqlite3'],
  ["import { AsyncEntry } from '@napi-rs/keyring'", 'src-main/actions/planted.ts', '@napi-rs/keyring'],
  ["import { request } from 'undici'", 'src-main/actions/planted.ts', 'undici']
] as const)('%s in %s is caught', ([text, path, to]) => {
  expect(planted(packagesStayInTheirRoom, { [path]: text })).toEqual([`${path} -> ${to}`])
})

test('contract, core and search import no Node, and no package but zod in contract and what is known of languages in search', () => {
  expect(innermostRoomsArePure(sources)).toEqual([])
})

test.for([
  ["import { readFile } from 'node:fs/promises'", 'src-main/core/planted.ts', 'node:fs/promises'],
  ["import { join } from 'path'", 'src-main/contract/planted.ts', 'path'],
  ["import type { Buffer } from 'node:buffer'", 'src-main/core/planted.ts', 'node:buffer'],
  ["import { z } from 'zod'", 'src-main/core/planted.ts', 'zod'],
  ["import { join } from 'node:path'", 'src-main/search/planted.ts', 'node:path'],
  ["import Sqlite from 'better-sqlite3'", 'src-main/search/sql/planted.ts', 'better-sqlite3'],
  ["import words from 'stopwords-iso'", 'src-main/search/query.ts', 'stopwords-iso'],
  ["import { useState } from 'react'", 'src-main/contract/planted.ts', 'react'],
  ["import facts from '../../package.json'", 'src-main/core/planted.ts', 'package.json']
] as const)('%s in %s is caught', ([text, path, to]) => {
  expect(planted(innermostRoomsArePure, { [path]: text })).toEqual([`${path} -> ${to}`])
})

test('rooms know only the rooms towards the contract', () => {
  expect(roomsKnowOnlyInnerRooms(sources)).toEqual([])
})

test.for([
  ['contract', '../core/address.ts'],
  ['core', '../actions/hash-secret.ts'],
  ['core', '../search/query.ts'],
  ['search', './sql/unindexed.ts'],
  ['search', '../store/statements.ts'],
  ['search/sql', '../../store/open-library.ts'],
  ['actions', '../search/sql/unindexed.ts'],
  ['actions', '../store/files/lock.ts'],
  ['actions', '../server/app.ts'],
  ['store', '../formats/netscape-html.ts'],
  ['formats', '../actions/import-library.ts'],
  ['keychain', '../store/files/lock.ts'],
  ['web', '../keychain/keychain.ts'],
  ['server', '../store/open-library.ts'],
  ['server', '../keychain/keychain.ts'],
  ['server', '../web/page.ts'],
  ['server', '../formats/netscape-html.ts'],
  ['server', '../mcp/dispatch.ts'],
  ['mcp', '../store/open-library.ts'],
  ['mcp', '../keychain/keychain.ts'],
  ['mcp', '../web/page.ts'],
  ['mcp', '../formats/netscape-html.ts'],
  ['mcp', '../server/app.ts'],
  ['mcp', '../service.ts'],
  ['host', '../serve/command.ts'],
  ['host', '../store/open-library.ts'],
  ['desktop', '../serve/command.ts'],
  ['desktop', '../store/open-library.ts'],
  ['serve', '../desktop/window.ts'],
  ['serve', '../store/open-library.ts'],
  ['attic', './anything.ts']
])('src-main/%s importing %s is caught', ([room, specifier]) => {
  const path = `src-main/${room}/planted.ts`
  const found = planted(roomsKnowOnlyInnerRooms, { [path]: `import type { A } from '${specifier}'` })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(`${path} -> src-main/`)
})

test('the service knowing a host is caught', () => {
  const found = planted(roomsKnowOnlyInnerRooms, { 'src-main/service.ts': "import { a } from './host/log.ts'" })
  expect(found).toEqual(['src-main/service.ts -> src-main/host/log.ts'])
})

test('the command line knowing more of the server than its types is caught', () => {
  const text = "import type { Api } from '../server/api.ts'\nimport { createApp } from '../server/app.ts'"
  const found = planted(roomsKnowOnlyInnerRooms, { 'src-main/serve/planted.ts': text })
  expect(found).toEqual(['src-main/serve/planted.ts -> src-main/server/app.ts'])
})

test('the dashboard knows the contract and the types of the API, and nothing else of the service', () => {
  expect(dashboardKnowsOnlyTheContract(sources)).toEqual([])
  const text = "import { Settings } from '../../src-main/contract/settings.ts'"
  expect(planted(dashboardKnowsOnlyTheContract, { 'src-renderer/ui/planted.tsx': text })).toEqual([])
})

test.for([
  ["import { pageKey } from '../../src-main/core/page-key.ts'", 'src-main/core/page-key.ts'],
  ["import type { Library } from '../../src-main/store/open-library.ts'", 'src-main/store/open-library.ts'],
  ["import { api } from '../../src-main/server/api.ts'", 'src-main/server/api.ts'],
  ["import { type Api } from '../../src-main/server/api.ts'", 'src-main/server/api.ts'],
  ["import { openService } from '../../src-main/service.ts'", 'src-main/service.ts'],
  ["import { join } from 'node:path'", 'node:path'],
  ["import { join } from 'path'", 'path']
] as const)('%s in the dashboard is caught', ([text, to]) => {
  const path = 'src-renderer/ui/planted.tsx'
  expect(planted(dashboardKnowsOnlyTheContract, { [path]: text })).toEqual([`${path} -> ${to}`])
})

test('the extension knows the contract, and its own rooms those below them', () => {
  expect(extensionStandsAlone(sources)).toEqual([])
})

test.for([
  ['popup', "import { pageKey } from '../../src-main/core/page-key.ts'", 'src-main/core/page-key.ts'],
  ['popup', "import type { Api } from '../../src-main/server/api.ts'", 'src-main/server/api.ts'],
  ['popup', "import { Mark } from '../../src-renderer/ui/mark.tsx'", 'src-renderer/ui/mark.tsx'],
  ['popup', "import { readPage } from '../page/read-page.ts'", 'src-extension/page/read-page.ts'],
  ['popup', "import { Readability } from '@mozilla/readability'", '@mozilla/readability'],
  ['page', "import { connectHost } from '../shared/host.ts'", 'src-extension/shared/host.ts'],
  ['shared', "import { askHost } from '../background/shared-host.ts'", 'src-extension/background/shared-host.ts'],
  ['background', "import { join } from 'node:path'", 'node:path'],
  ['attic', "import { strings } from '../strings.ts'", 'src-extension/strings.ts']
] as const)('in the extension’s %s, %s is caught', ([room, text, to]) => {
  const path = `src-extension/${room}/planted.ts`
  expect(planted(extensionStandsAlone, { [path]: text })).toEqual([`${path} -> ${to}`])
})

test('the service does not know the dashboard', () => {
  expect(serviceDoesNotKnowTheDashboard(sources)).toEqual([])
  const text = "import { App } from '../../src-renderer/app/app.tsx'\nimport { createRoot } from 'react-dom/client'"
  const extension = "import { strings } from '../../src-extension/strings.ts'"
  expect(planted(serviceDoesNotKnowTheDashboard, { 'src-main/server/planted.ts': extension })).toHaveLength(1)
  expect(planted(serviceDoesNotKnowTheDashboard, { 'src-main/server/planted.ts': text })).toEqual([
    'src-main/server/planted.ts -> src-renderer/app/app.tsx',
    'src-main/server/planted.ts -> react-dom/client'
  ])
})

test('the dashboard’s rooms know only those below them', () => {
  expect(dashboardKnowsOnlyBelow(sources)).toEqual([])
})

test.for([
  ['strings', '../ui/mark.tsx'],
  ['ui', '../shared/notify.tsx'],
  ['ui', '../features/tags/tags.tsx'],
  ['ui', '../app/theme.ts'],
  ['shared', '../features/tags/tags.tsx'],
  ['shared', '../app/theme.ts'],
  ['features', '../app/theme.ts'],
  ['features', '../capture/host.ts'],
  ['capture', '../app/theme.ts'],
  ['app', '../capture/host.ts'],
  ['attic', './anything.ts']
])('src-renderer/%s importing %s is caught, also lazily and for its types', ([room, specifier]) => {
  const path = `src-renderer/${room}/planted.ts`
  for (const text of [
    `import a from '${specifier}'`,
    `await import('${specifier}')`,
    `type A = import('${specifier}').A`
  ]) {
    const found = planted(dashboardKnowsOnlyBelow, { [path]: text })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(`${path} -> src-renderer/`)
  }
})

test('a feature never imports another feature', () => {
  expect(featuresStandAlone(sources)).toEqual([])
  const text = "import { api } from '../../api.ts'\nimport { Row } from './row.tsx'\nimport type { B } from '../b/b.ts'"
  expect(planted(featuresStandAlone, { 'src-renderer/features/a/planted.tsx': text })).toEqual([
    'src-renderer/features/a/planted.tsx -> src-renderer/features/b/b.ts'
  ])
})

test('no files import each other in a circle', () => {
  expect(noCycles(sources)).toEqual([])
  const circle = {
    'src-main/core/a.ts': "import { b } from './b.ts'",
    'src-main/core/b.ts': "export { c } from './c.ts'",
    'src-main/core/c.ts': "const a = await import('./a.ts')"
  }
  expect(planted(noCycles, circle)).toEqual([
    'src-main/core/a.ts -> src-main/core/b.ts -> src-main/core/c.ts -> src-main/core/a.ts'
  ])
})

test('there are no barrels', () => {
  expect(noBarrels(sources)).toEqual([])
  const barrels = {
    'src-main/core/all.ts': "export * from './address.ts'\nexport const own = 1",
    'src-main/core/named.ts': "export { pageKey } from './page-key.ts'",
    'src-renderer/features/a/index.ts': "import { A } from './a.tsx'\nexport { A }",
    'src-main/contract/types.ts': "export type { Owner } from './caller.ts'"
  }
  expect(planted(noBarrels, barrels)).toEqual(Object.keys(barrels))
  expect(planted(noBarrels, { 'src-main/core/own.ts': 'const a = 1\nexport { a }' })).toEqual([])
})

test('no import hides where it goes', () => {
  expect(importsAreWritten(sources)).toEqual([])
  const text = "const room = '../store/files/lock.ts'\nawait import(room)"
  expect(planted(importsAreWritten, { 'src-main/server/planted.ts': text })).toEqual([
    'src-main/server/planted.ts -> (computed)'
  ])
})
