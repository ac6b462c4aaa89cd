// Before a run of component tests: bundles the dashboard as it is now into one script. A page load is then one script
// that runs, as in a browser, instead of 300 modules that Vitest transforms and compiles one by one.
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '../..')

/** Vitest calls it before the run. `render-app.ts` loads what it writes. */
export default async function buildDashboard() {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // React as people have it: what it does for development costs a quarter of these tests' time.
    oxc: { jsx: { development: false } },
    // One dashboard after the other uses the same packages.
    ssr: { external: true },
    build: {
      ssr: true,
      target: 'node22',
      outDir: 'out/tests-dashboard',
      minify: false,
      rolldownOptions: {
        input: { dashboard: join(root, 'tests/support/show-dashboard.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false }
      }
    }
  })
}
