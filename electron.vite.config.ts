import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { compileCatalogs, compileTexts } from './packaging/compile-texts.ts'
import { fewChunks } from './packaging/few-chunks.ts'
import { lazyWordLists } from './packaging/lazy-word-lists.ts'
import { leanBuiltins } from './packaging/lean-builtins.ts'
import { listPackages } from './packaging/list-packages.ts'
import { pickIcons } from './packaging/pick-icons.ts'

const root = import.meta.dirname

/** Pages have addresses of their own, some deeper than the first; electron-vite means files to be opened from disk. */
const fromTheRoot = { name: 'from-the-root', config: () => ({ base: '/' }) }

export default defineConfig({
  main: {
    plugins: [leanBuiltins(), lazyWordLists(), listPackages(root, 'main')],
    // Node has a fetch of its own.
    resolve: { alias: { '@buttercup/fetch': resolve(root, 'node_modules/@buttercup/fetch/dist/index.browser.js') } },
    build: {
      outDir: 'out/main',
      sourcemap: true,
      rolldownOptions: {
        // linkedom's parser of style sheets has one, for a constant; nothing here parses style sheets.
        checks: { eval: false },
        input: {
          desktop: resolve(root, 'src-main/desktop/main.ts'),
          earmark: resolve(root, 'src-main/cli/earmark.ts'),
          // Started by name, each beside the program that starts it.
          'library-thread': resolve(root, 'src-main/store/library-thread.ts'),
          'decoder-child': resolve(root, 'src-main/web/decoder-child.ts'),
          'import-child': resolve(root, 'src-main/formats/import-child.ts'),
          'keychain-child': resolve(root, 'src-main/keychain/keychain-child.ts'),
          'places-child': resolve(root, 'src-main/store/files/places-child.ts')
        },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          // What is not there need not be read; a license's is.
          comments: { legal: true, annotation: false, jsdoc: false },
          codeSplitting: { groups: fewChunks(root) }
        }
      }
    }
  },
  preload: {
    plugins: [listPackages(root, 'preload')],
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        input: {
          dashboard: resolve(root, 'src-main/desktop/preload-dashboard.ts'),
          capture: resolve(root, 'src-main/desktop/preload-capture.ts')
        },
        // A sandboxed preload is one CommonJS file: it can load nothing but Electron.
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      },
      isolatedEntries: true
    }
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    plugins: [compileTexts(), compileCatalogs(root), react(), fromTheRoot, pickIcons(), listPackages(root, 'renderer')],
    build: {
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      // The page lists the files that it needs. What is loaded later comes as fast one file after the other, because it
      // comes from this machine: only its style sheets are listed.
      modulePreload: {
        resolveDependencies: (_file, files, { hostType }) =>
          hostType === 'html' ? files : files.filter((name) => name.endsWith('.css'))
      },
      // What is needed first is measured by a test.
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        // Reading the texts takes most of the build, 5 s.
        checks: { bundlerTimings: false, pluginTimings: false },
        input: {
          index: resolve(root, 'src-renderer/index.html'),
          capture: resolve(root, 'src-renderer/capture/index.html')
        }
      }
    }
  }
})
