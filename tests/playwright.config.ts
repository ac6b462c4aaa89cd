import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumPath } from './support/tools.ts'

// Programs and threads compile the same sources hundreds of times.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/earmark-tests')

const DESKTOP = ['desktop.spec.ts', 'desktop-platforms.spec.ts', 'capture.spec.ts', 'capture-find.spec.ts']

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './support/set-up.js',
  // What has another process behind it takes other workers, which take seconds to start.
  projects: [
    { name: 'dashboard', testMatch: '*.spec.ts', testIgnore: DESKTOP },
    { name: 'desktop', testMatch: DESKTOP }
  ],
  outputDir: '.results/playwright',
  forbidOnly: true,
  workers: 3,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // What passes only the second time is told as flaky; its trace lies in outputDir.
  retries: 1,
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
