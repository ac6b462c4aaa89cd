import { availableParallelism } from 'node:os'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compileTexts } from './packaging/compile-texts.ts'
import { pickIcons } from './packaging/pick-icons.ts'

// Only `npm test` on a developer's machine accepts a test that passes at its second try.
const retry = process.env.CI !== undefined || process.env.npm_lifecycle_event === 'test:all' ? 0 : 1

// `unit` runs on the sources in seconds, with each commit; `slow` is what takes seconds a file; `component` shows the
// dashboard in a window without layout; `built` needs `npm run build` and starts the real program.
const built = ['tests/e2e/**/*.test.ts', 'tests/crash/**/*.test.ts']
// What `npm test` leaves to `npm run test:all`: what takes long and guards what seldom changes.
const extended = ['tests/**/*.extended.test.ts']
// What `npm run check` leaves to `npm test`: files that take seconds each.
const slow = ['tests/**/*.slow.test.ts']
const component = ['tests/component/**/*.test.ts']
// These need a keyring, which `npm test` installs where it may.
const keyring = ['tests/keychain/keychain.test.ts']

const common = {
  retry,
  unstubEnvs: true,
  restoreMocks: true,
  // Against what hangs. How long something takes is what benchmarks say.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } }
}

// They start processes with a low priority, which get little time beside the unit tests. So they run after them, and leave
// a core to these processes.
const withProcesses = { maxWorkers: Math.max(1, availableParallelism() - 1), sequence: { groupOrder: 1 } }

const sources = join(import.meta.dirname, 'src-main') + sep
const programs = pathToFileURL(join(import.meta.dirname, 'out/tests', sep))

/** Sources start their threads and processes from what is built beside them; here that is what was built for this run. */
const programsBuilt = {
  name: 'programs-built',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.startsWith(sources)
      ? code.replace(/(new URL\((['`])\.\/[^'`]+\.js\2, )import\.meta\.url\)/g, `$1'${programs}')`)
      : undefined
}

// Programs and threads compile the same sources hundreds of times.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/earmark-tests')
// A thread or process that was handed TypeScript all the same ends at once: see decision 016.
process.env.NODE_OPTIONS = '--no-experimental-strip-types'

export default defineConfig({
  test: {
    // Tests wait now and then: for a timer, a disk, a process that starts.
    maxWorkers: availableParallelism() + 1,
    globalSetup: 'tests/support/set-up.js',
    // Windows without layout leave much behind at once: with V8's usual 16 MB a fifth of the time is collecting it.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        plugins: [programsBuilt, compileTexts(), pickIcons()],
        extends: true,
        test: {
          ...common,
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [...slow, ...component, ...keyring, ...built, ...extended, '**/node_modules/**'],
          // One process runs many files and loads the sources once; no file leaves anything behind but its own.
          isolate: false
        }
      },
      {
        plugins: [programsBuilt, compileTexts(), pickIcons()],
        extends: true,
        test: { ...common, ...withProcesses, name: 'slow', include: slow, isolate: false }
      },
      {
        plugins: [programsBuilt],
        extends: true,
        test: {
          ...common,
          ...withProcesses,
          name: 'component',
          include: component,
          globalSetup: ['tests/support/build-dashboard.js'],
          isolate: false,
          env: { NODE_ENV: 'production' }
        }
      },
      {
        plugins: [programsBuilt, compileTexts(), pickIcons()],
        extends: true,
        test: { ...common, name: 'keyring', include: keyring, isolate: false }
      },
      {
        plugins: [programsBuilt, compileTexts(), pickIcons()],
        extends: true,
        test: { ...common, name: 'built', include: built, exclude: extended, isolate: false }
      },
      {
        plugins: [programsBuilt, compileTexts(), pickIcons()],
        extends: true,
        test: { ...common, name: 'extended', include: extended, isolate: false }
      }
    ]
  }
})
