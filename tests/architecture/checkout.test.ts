import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'

const root = join(import.meta.dirname, '../..')
const FILES = ['packaging/electron-builder.schema.json', 'packaging/package.ts', 'resources/icon.png']
const bytes = (folder: string, file: string) => readFileSync(join(folder, file)).toString('latin1')

/** Checks files of this tree out as Git does on Windows, where it writes CRLF by default. @returns those that came out changed */
function changedOnWindows(withAttributes: boolean): string[] {
  const folder = tempFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'core.autocrlf=true', ...args], { stdio: 'pipe' })
  git('init')
  if (withAttributes) copyFileSync(join(root, '.gitattributes'), join(folder, '.gitattributes'))
  for (const file of FILES) copyFileSync(join(root, file), join(folder, basename(file)))
  git('add', '--all')
  for (const file of FILES) rmSync(join(folder, basename(file)))
  git('checkout', '--', '.')
  return FILES.filter((file) => bytes(folder, basename(file)) !== bytes(root, file))
}

test('a checkout on Windows has the same bytes as everywhere', () => {
  expect(changedOnWindows(true)).toEqual([])
  expect(changedOnWindows(false), 'without .gitattributes').toEqual(FILES.slice(0, 2))
})
