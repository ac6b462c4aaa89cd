import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../out/renderer')

/** Most JavaScript that may be needed before something is seen, in bytes as gzip sends it. */
const MOST_FIRST = 250_000

test('the first page needs less than 250 kB of JavaScript', () => {
  const scripts = firstScripts('index.html')
  const sizes = scripts.map((name) => gzipSync(readFileSync(join(folder, name))).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`first paint: ${Math.round(total / 1000)} kB of gzipped JavaScript in ${scripts.length} files`)
  expect(total).toBeGreaterThan(50 * 1024)
  expect(total).toBeLessThan(MOST_FIRST)
})

test('other pages come in files of their own', () => {
  const all = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  expect(all.length).toBeGreaterThan(firstScripts('index.html').length)
})

/** The page's script and all it imports, in which are the bookmarks: the page people open. */
function firstScripts(page: string): string[] {
  const html = readFileSync(join(folder, page), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? '')
  const needed = new Set<string>()
  const open = [...named]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    open.push(...importsOf(name))
  }
  return [...needed]
}

/** What a file imports at once; what it imports when asked to comes later. */
function importsOf(name: string): string[] {
  const text = readFileSync(join(folder, name), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map((match) => `assets/${match[1]}`)
}
