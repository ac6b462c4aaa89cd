import { execFileSync, spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { skip, tempFolder } from './support.ts'

/** Compiles a C file of this folder for LD_PRELOAD, and gives the library's path. Skips the test where that cannot be. */
export function compilePreload(test: string, source: string): string {
  if (process.platform !== 'linux') skip(test, 'LD_PRELOAD needs Linux')
  if (spawnSync('cc', ['--version']).status !== 0) skip(test, 'there is no C compiler (cc)')
  const library = join(tempFolder(), `${basename(source, '.c')}.so`)
  const file = join(import.meta.dirname, source)
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, file, '-ldl', '-lpthread'])
  return library
}
