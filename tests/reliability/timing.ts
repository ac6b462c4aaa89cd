/**
 * The time of an answer reveals nothing to a key of an organization. Two libraries differ only in what the key may not see:
 * 20,000 private bookmarks with their words and tags, and an import that is still being indexed. Both get the same calls,
 * directly after each other, and the sign test counts which library answered later.
 *
 * The planted fault is a key of the profile, whose answers are not delayed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callTool, makeKey, type Running, runJson } from '../support/earmark.ts'
import { type Figure, figure, options, random, report, start, tempFolder, until } from './harness.ts'

const PAIRS = options.n(300)
const PRIVATE = 20_000
/** The probability above which two libraries count as not distinguishable. */
const SIGNIFICANCE = 0.01

const QUESTIONS: [what: string, args: object][] = [
  ['the beginning of a private tag', { tags: ['project-kes'] }],
  ['a private tag', { tags: ['project-kestrel'] }],
  ['a private tag with a mistake', { tags: ['project-kestral'] }],
  ['a word of 20,000 private bookmarks', { search: 'kestrel' }],
  ['a word with a mistake', { search: 'kestral' }],
  ['a site of private bookmarks', { domain: 'private.example' }]
]

const bare = await makeLibrary(0)
const full = await makeLibrary(PRIVATE)
const figures: Figure[] = []
for (const [what, args] of QUESTIONS) {
  // By chance one question in a hundred is significant, so it is asked again before it counts: 1 in 10,000.
  let p = await likelihood(args)
  if (p <= SIGNIFICANCE) p = await likelihood(args)
  figures.push({ what, value: `p = ${p.toFixed(3)}`, target: `> ${SIGNIFICANCE}`, met: p > SIGNIFICANCE })
}
const revealing = await countHintsOfImport()
for (const { service } of [bare, full]) await service.end('SIGTERM')
report([
  figure.atLeast('pairs of each question', PAIRS, 1),
  ...figures,
  figure.zero('answers that tell of an import', revealing)
])

interface Library {
  data: string
  service: Running
  key: string
}

async function makeLibrary(hidden: number): Promise<Library> {
  const data = tempFolder()
  await runJson(data, ['organizations', 'create', '--name', 'Mine'])
  const mine = await makeKey(data, '--organization', 'Mine')
  const own = await makeKey(data)
  if (hidden > 0) await importPrivate(data, 'private', hidden)
  const service = await start(data)
  const urls = Array.from({ length: 50 }, (_, index) => `https://mine.example/${index}`)
  await callTool(service.url, mine, 'bookmarks.insert', { urls })
  const isIndexed = async () => {
    const { payload } = await callTool(service.url, own, 'bookmarks.search', { search: 'kestrel' })
    return !String(payload.hint ?? '').includes('prepared')
  }
  await until(isIndexed, 600_000, 200)
  return { data, service, key: options.plant ? own : mine }
}

/** Imports bookmarks that only the profile sees. */
async function importPrivate(data: string, site: string, count: number): Promise<void> {
  const tags = (index: number) => `project-kestrel,project-kestrel-${index}`
  const lines = Array.from(
    { length: count },
    (_, index) => `<DT><A HREF="https://${site}.example/${index}" TAGS="${tags(index)}">kestrel</A>`
  )
  const file = join(data, `${site}.html`)
  writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL><p>\n`)
  await runJson(data, ['import', file])
}

/** Returns how likely it is that one library answers later as often as it did, if nothing distinguishes them. */
async function likelihood(args: object): Promise<number> {
  let later = 0
  let unequal = 0
  for (let pair = 0; pair < PAIRS; pair++) {
    const times = new Map<Library, number>()
    for (const library of random.share() < 0.5 ? [bare, full] : [full, bare]) {
      const begun = performance.now()
      await callTool(library.service.url, library.key, 'bookmarks.search', args)
      times.set(library, performance.now() - begun)
    }
    const difference = (times.get(full) ?? 0) - (times.get(bare) ?? 0)
    if (difference > 0) later += 1
    if (difference !== 0) unequal += 1
  }
  return signTest(later, unequal)
}

/** The two-sided sign test: the probability of a split at least as uneven as `count` of `all`. */
function signTest(count: number, all: number): number {
  let logChoose = 0
  let sum = 0
  const edge = Math.min(count, all - count)
  for (let k = 0; k <= edge; k++) {
    sum += Math.exp(logChoose - all * Math.LN2)
    logChoose += Math.log((all - k) / (k + 1))
  }
  return Math.min(1, 2 * sum)
}

/** Imports more into the full library. Counts answers in which only one library has a hint of that. */
async function countHintsOfImport(): Promise<number> {
  await importPrivate(full.data, 'more', PRIVATE / 4)
  let revealing = 0
  for (let number = 0; number < 20; number++) {
    const [first, second] = await Promise.all(
      [bare, full].map(async ({ service, key }) => {
        return (await callTool(service.url, key, 'bookmarks.search', { search: 'mine' })).payload.hint
      })
    )
    if (first !== second) revealing += 1
  }
  return revealing
}
