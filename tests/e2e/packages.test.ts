import { expect, test } from 'vitest'
import { readLists } from '../../packaging/list-packages.ts'

/** What the build may take in, with all that it brings along: whoever adds one reads it first. */
const BUNDLED: Record<string, string> = {
  main: `
  @acemir/cssom @canvas/image-data @decimalturn/toml-patch @exodus/bytes @hono/node-server @hono/zod-validator
  @mozilla/readability @orama/stemmers @pinojs/redact atomic-sleep boolbase commander css-select css-what culori
  decode-bmp decode-ico dom-serializer domelementtype domhandler domutils entities env-paths fflate hono html-encoding-sniffer
  htmlparser2 ipaddr.js is-safe-filename jschardet jsonc-parser linkedom nth-check on-exit-leak-free opencc-js pino
  pino-std-serializers quick-format-unescaped safe-stable-stringify sonic-boom stopwords-iso thread-stream to-data-view
  uhyphen undici unpdf yaml zod`,
  preload: '',
  extension: '@mozilla/readability',
  renderer: `
  @babel/runtime @floating-ui/core @floating-ui/dom @floating-ui/react @floating-ui/react-dom @floating-ui/utils
  @mantine/core @mantine/hooks @mantine/modals @mantine/notifications @mantine/store
  @tanstack/query-core @tanstack/react-query @tanstack/react-virtual @tanstack/virtual-core
  clsx culori get-nonce hono punycode react react-dom react-number-format react-remove-scroll react-remove-scroll-bar
  react-style-singleton react-transition-group regexparam scheduler tslib use-callback-ref use-sidecar use-sync-external-store wouter`
}

test.each(Object.entries(BUNDLED))('%s has taken in the packages it should, and no others', (part, list) => {
  const names = readLists(`${import.meta.dirname}/../..`, [part]).map((folder) => folder.split('node_modules/').at(-1))
  expect([...new Set(names)].toSorted()).toEqual(list.split(/\s+/).filter(Boolean).toSorted())
})
