// Part of `npm run build`: builds the browser extension into out/extension, a folder for each kind of browser.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type InlineConfig } from 'vite'
import { manifestFor } from '../src-extension/manifest.ts'
import { listPackages } from './list-packages.ts'
import { root } from './run.ts'

const source = join(root, 'src-extension')
const folder = join(root, 'out/extension')
const [first, ...others] = ['chromium', 'firefox'] as const

rmSync(folder, { recursive: true, force: true })
await build(pages(join(folder, first)))
await build(pageScript(join(folder, first), 'read-page'))
for (const name of ['icons', '_locales']) cpSync(join(source, name), join(folder, first, name), { recursive: true })
for (const kind of others) cpSync(join(folder, first), join(folder, kind), { recursive: true })
// Chromium writes copies of pages itself.
await build(pageScript(join(folder, 'firefox'), 'capture-page'))
for (const kind of [first, ...others]) writeManifest(kind)

/** What has a page of its own, and the background. */
function pages(outDir: string): InlineConfig {
  const page = (name: string) => resolve(source, name, 'index.html')
  return {
    ...common(outDir),
    build: {
      ...common(outDir).build,
      rolldownOptions: {
        input: {
          popup: page('popup'),
          results: page('results'),
          options: page('options'),
          background: resolve(source, 'background/background.ts')
        },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'parts/[name].js',
          assetFileNames: 'parts/[name][extname]'
        }
      }
    }
  }
}

/** What is put into a page's tab: one classic script. */
function pageScript(outDir: string, name: 'read-page' | 'capture-page'): InlineConfig {
  return {
    ...common(outDir),
    plugins: name === 'read-page' ? [listPackages(root, 'extension')] : [],
    build: {
      ...common(outDir).build,
      lib: {
        entry: resolve(source, `page/${name}.ts`),
        formats: ['iife'],
        name: 'earmark',
        fileName: () => `${name}.js`
      }
    }
  }
}

function common(outDir: string): InlineConfig & { build: object } {
  return {
    root: source,
    base: './',
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      target: ['chrome123', 'firefox128'],
      modulePreload: false,
      assetsInlineLimit: 0
    }
  }
}

function writeManifest(kind: typeof first | (typeof others)[number]): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const place = join(folder, kind)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'manifest.json'), `${JSON.stringify(manifestFor(kind, version), null, 2)}\n`)
}
