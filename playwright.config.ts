import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumPath } from './tests/support/tools.ts'

// Programs and threads compile the same sources hundreds of times.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/earmark-tests')

const DESKTOP = ['desktop.spec.ts', 'desktop-platforms.spec.ts', 'capture.spec.ts', 'capture-find.spec.ts']

const isStrict = process.env.CI !== undefined || process.env.npm_lifecycle_event === 'test:all'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/set-up.js',
  // What has another process behind it takes other workers, which take seconds to start.
  projects: [
    { name: 'dashboard', testMatch: '*.spec.ts', testIgnore: DESKTOP },
    { name: 'desktop', testMatch: DESKTOP }
  ],
  outputDir: 'tests/.results/playwright',
  forbidOnly: true,
  workers: 3,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  // A second try leaves a trace in outputDir. Only `npm test` on a developer's machine accepts it.
  retries: 1,
  failOnFlakyTests: isStrict,
  reporter: 'line',
  use: {
    // What cannot be clicked by then never will; without this it would use up the whole time of its test.
    actionTimeout: 20_000,
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--in-process-gpu',
        // Pages live for seconds: code that is optimised is never worth it.
        '--js-flags=--no-opt --no-maglev',
        // Pages of one test after the other run in one process, which is warm.
        '--process-per-site',
        '--renderer-process-limit=1',
        '--disable-features=SpareRendererForSitePerProcess,PaintHolding,Translate,OptimizationHints,MediaRouter',
        '--disable-lcd-text',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-quic',
        '--disable-sync',
        '--no-first-run'
      ]
    }
  }
})
