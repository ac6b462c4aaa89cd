import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const root = import.meta.dirname

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      sourcemap: true,
      rolldownOptions: {
        input: {
          desktop: resolve(root, 'src-main/desktop/main.ts'),
          earmark: resolve(root, 'src-main/serve/earmark.ts'),
          // Started by name, each beside the program that starts it.
          'writer-thread': resolve(root, 'src-main/store/writer-thread.ts'),
          'keychain-child': resolve(root, 'src-main/keychain/keychain-child.ts')
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' }
      }
    }
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    plugins: [react()],
    build: {
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      rolldownOptions: { input: resolve(root, 'src-renderer/index.html') }
    }
  }
})
