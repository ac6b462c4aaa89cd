import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// What passes only the second time is told at the end of `npm test`.
const retry = 1

// `unit` runs on the sources in seconds; `built` needs `npm run build` and starts the real program.
const built = ['tests/e2e/**/*.test.ts', 'tests/crash/**/*.test.ts']

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() * 0.75)),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: built,
          retry,
          // One process runs many files and loads the sources once; no file leaves anything behind but its own.
          isolate: false,
          unstubEnvs: true,
          restoreMocks: true,
          testTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } }
        }
      },
      { test: { name: 'built', include: built, retry, testTimeout: 30_000, hookTimeout: 30_000 } }
    ]
  }
})
