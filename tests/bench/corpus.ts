import type { BookmarkDraft } from '../../src-main/contract/bookmark.ts'
import { parseAddress } from '../../src-main/core/address.ts'
import { randomFrom } from '../support/random.ts'

const COMMON = 'the of and to in for with on how a your from using guide is an at by what new best why vs web'.split(
  ' '
)
const SYLLABLES =
  'ba be bo ca ce co da de di do fa fe fi ga ge go ha he hi ja jo ka ke ki la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi wa we za zo tion ing er ly ment graph data net script press type server'.split(
    ' '
  )
/** As many Chinese characters as a newspaper uses. */
const HAN = Array.from({ length: 2500 }, (_, index) => String.fromCodePoint(0x4e00 + index * 8))
const KANA = [
  ...'あいうえおかきくけこさしすせそたちつてとなにのはひまもやらりるれろわをんアイウエカキクコサシスタチツテトナニハバパフプマミムメモラリルレロワンード'
]
const PARTS = ['MPU', 'ESP', 'STM', 'RFC', 'CVE', 'LM', 'NE', 'ATX']

/**
 * Bookmarks like people have: Zipf-distributed words, half of the titles Chinese or Japanese, sites and tags by rank; a
 * few titles name a part (`MPU6050`), and a few bookmarks have a page's text.
 */
export function createCorpus(seed: number) {
  const random = randomFrom(seed)
  const vocabulary = [...COMMON, ...Array.from({ length: 60_000 }, makeWord)]
  const cjkWords = Array.from({ length: 20_000 }, () => makeRun(2 + Math.floor(random() * 2)))
  const sites = Array.from(
    { length: 5_000 },
    (_, index) => `${makeWord()}${index % 7}.${pick(['com', 'org', 'dev', 'io', 'jp', 'cn'])}`
  )
  const tags = Array.from({ length: 2_000 }, (_, index) => (index % 3 ? makeWord() : (cjkWords[index] ?? '')))

  function pick<T>(list: readonly T[]): T {
    return list[Math.floor(random() * list.length)] as T
  }

  /** Zipf's law: the word of rank r comes about 1/r as often as the first. */
  function zipf<T>(list: readonly T[]): T {
    return list[Math.min(list.length - 1, Math.floor(list.length ** random() - 1))] as T
  }

  function makeWord(): string {
    return Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join('')
  }

  function makeRun(length: number): string {
    const from = random() < 0.7 ? HAN : KANA
    return Array.from({ length }, () => pick(from)).join('')
  }

  function text(words: number): string {
    return Array.from({ length: words }, () => zipf(vocabulary)).join(' ')
  }

  function title(): string {
    if (random() < 0.5) {
      const words = text(3 + Math.floor(random() * 7))
      return random() < 0.02 ? `${words} ${pick(PARTS)}${1000 + Math.floor(random() * 9000)}` : words
    }
    return Array.from({ length: 2 + Math.floor(random() * 5) }, () => zipf(cjkWords)).join('')
  }

  let made = 0
  return {
    random,
    pick,
    next(): BookmarkDraft {
      made += 1
      const path = text(2).replaceAll(' ', '-')
      const address = parseAddress(`https://${zipf(sites)}/${path}/${made}`)
      if ('fault' in address) throw new Error(address.fault)
      return {
        type: 'link',
        ...address,
        title: title(),
        description: random() < 0.6 ? text(8 + Math.floor(random() * 20)) : '',
        content: random() < 0.03 ? text(100 + Math.floor(random() * 200)) : '',
        tags: Array.from({ length: Math.floor(random() * 4) }, () => zipf(tags)),
        createdAt: 1_600_000_000_000 + made * 60_000
      }
    }
  }
}
