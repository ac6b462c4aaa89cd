// Builds what the tests start as threads and processes of their own into out/tests, from the sources as they are now:
// JavaScript, so that no thread loads Node's type stripper (see docs/develop/decisions/016-no-webassembly-in-threads.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { compileTexts } from '../../packaging/compile-texts.ts'

const root = join(import.meta.dirname, '../..')

/** Where each lies from the project's folder. They end up in one folder, where they find each other by name. */
const PROGRAMS = [
  'src-main/store/library-thread.ts',
  'src-main/web/decoder-child.ts',
  'src-main/formats/import-child.ts',
  'src-main/keychain/keychain-child.ts',
  'src-main/store/files/places-child.ts',
  'tests/support/web-service.ts',
  'tests/support/service-host.ts',
  'tests/support/lock-holder.ts',
  'tests/support/shrink-many.ts',
  'tests/support/electron/stand-in.ts'
]

/** @param {string[]} more programs that only this run needs, as the list above names them */
export async function buildPrograms(more = []) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Checks of agent hosts use what the dashboard shows for each.
    plugins: [compileTexts()],
    // Bundled as the app's are, but for what only tests use.
    ssr: { noExternal: true, external: [...Object.keys(dependencies), ...NOT_OURS] },
    build: {
      ssr: true,
      target: 'node22',
      outDir: 'out/tests',
      emptyOutDir: true,
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: [...PROGRAMS, ...more].map((file) => join(root, file)),
        checks: { eval: false },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
      }
    }
  })
}

const NOT_OURS = ['@playwright/test', 'electron', 'vite', 'vitest']
