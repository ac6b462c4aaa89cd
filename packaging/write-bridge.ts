import { copyFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { listPackages } from './list-packages.ts'
import { bridgeNotices } from './notices.ts'

const root = join(import.meta.dirname, '..')

/** The oldest Node that Claude Desktop and npx may run the bridge with. */
export const NODE = 20

/** Empties a folder and writes into it what every package of the bridge holds: the program in one file, the skill, the licenses. */
export async function writeBridge(folder: string, program: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [listPackages(root, 'bridge')],
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'src-main/cli/stand-alone.ts'),
      target: `node${NODE}`,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { output: { entryFileNames: program, codeSplitting: false, banner: '#!/usr/bin/env node' } }
    }
  })
  cpSync(join(root, 'packaging/skills'), join(folder, 'skills'), { recursive: true })
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), bridgeNotices())
}
