// Before component tests: bundles the dashboard into one script. A page load then runs one script, as in a browser, instead of
// 300 modules that Vitest transforms and compiles one by one.
import { join } from 'node:path'
import { build } from 'vite'
import { compileTexts } from '../../packaging/compile-texts.ts'

const root = join(import.meta.dirname, '../..')

/** Vitest calls it before the run. `render-app.ts` loads the script. */
export default async function buildDashboard() {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [compileTexts()],
    // React's production build: the development build takes a quarter of these tests' time.
    oxc: { jsx: { development: false } },
    // All dashboards use the same packages.
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
