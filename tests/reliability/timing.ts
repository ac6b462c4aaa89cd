/**
 * The clock tells a key of an organization nothing. Two libraries differ only in what it may not see: 20,000 private
 * bookmarks with their words and tags, and an import that is still being indexed. Both are asked the same, one right
 * after the other, and the sign test counts which of them answered later.
 *
 * The planted fault is a key of the profile, whose answers come as soon as they are there.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '../support/random.ts'
import { call, makeKey, options, report, run, type Service, start, tempFolder, tried } from './support.ts'

const PAIRS = options.n(300)
const PRIVATE = 20_000
const MOST_LIKELY = 0.01
const next = randomFrom(options.seed)

const QUESTIONS: [what: string, args: object][] = [
  ['the beginning of a private tag', { tags: ['project-kes'] }],
  ['a private tag', { tags: ['project-kestrel'] }],
  ['a private tag with a mistake', { tags: ['project-kestral'] }],
  ['a word of 20,000 private bookmarks', { search: 'kestrel' }],
  ['a word with a mistake', { search: 'kestral' }],
  ['a site of private bookmarks', { domain: 'private.example' }]
]

const bare = await library(0)
const full = await library(PRIVATE)
const likelihoods: number[] = []
for (const [, args] of QUESTIONS) {
  // One chance in a hundred is taken twice before it counts: 1 in 10,000 for libraries that are told apart by nothing.
  const first = await likelihood(args)
  likelihoods.push(first > MOST_LIKELY ? first : await likelihood(args))
}
const preparing = await tellsOfImport()
for (const { service } of [bare, full]) await service.end('SIGTERM')

report('timing', [
  tried('pairs of each question', PAIRS, 1),
  ...QUESTIONS.map(([what], index) => {
    const p = likelihoods[index] ?? 0
    return { what, value: `p = ${p.toFixed(3)}`, target: '> 0.01', met: p > MOST_LIKELY }
  }),
  { what: 'answers that tell of an import', value: String(preparing), target: '0', met: preparing === 0 }
])

interface Library {
  data: string
  service: Service
  key: string
}

async function library(hidden: number): Promise<Library> {
  const data = tempFolder()
  run(data, ['organizations', 'create', '--name', 'Mine'])
  const mine = makeKey(data, '--organization', 'Mine')
  if (hidden > 0) run(data, ['import', privateBookmarks(data, 'private', hidden)])
  const key = options.plant ? makeKey(data) : mine
  const service = await start(data)
  const urls = Array.from({ length: 50 }, (_, index) => `https://mine.example/${index}`)
  await call(service.url, mine, 'bookmarks.insert', { urls })
  await indexed(service, makeKey(data))
  return { data, service, key }
}

/** A browser's file of bookmarks that only the profile sees. */
function privateBookmarks(folder: string, site: string, count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `<DT><A HREF="https://${site}.example/${index}" TAGS="project-kestrel,project-kestrel-${index}">kestrel</A>`
  )
  const file = join(folder, `${site}.html`)
  writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL><p>\n`)
  return file
}

/** Waits until every bookmark is in the search index, as its owner can tell. */
async function indexed({ url }: Service, owners: string): Promise<void> {
  for (;;) {
    const { payload } = await call(url, owners, 'bookmarks.search', { search: 'kestrel' })
    if (!String(payload.hint ?? '').includes('prepared')) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** How likely it is that one library answers later as often as it did, where nothing tells them apart. */
async function likelihood(args: object): Promise<number> {
  let later = 0
  let apart = 0
  for (let pair = 0; pair < PAIRS; pair++) {
    const order = next() < 0.5 ? [bare, full] : [full, bare]
    const times = new Map<Library, number>()
    for (const one of order) times.set(one, await timed(one, args))
    const difference = (times.get(full) ?? 0) - (times.get(bare) ?? 0)
    if (difference > 0) later += 1
    if (difference !== 0) apart += 1
  }
  return signTest(later, apart)
}

async function timed({ service, key }: Library, args: object): Promise<number> {
  const begun = performance.now()
  await call(service.url, key, 'bookmarks.search', args)
  return performance.now() - begun
}

/** The two-sided sign test: the chance of a split at least as uneven as `times` of `all`. */
function signTest(times: number, all: number): number {
  let logChoose = 0
  let sum = 0
  const edge = Math.min(times, all - times)
  for (let k = 0; k <= edge; k++) {
    sum += Math.exp(logChoose - all * Math.LN2)
    logChoose += Math.log((all - k) / (k + 1))
  }
  return Math.min(1, 2 * sum)
}

/** Imports more into the full library, and asks both what the importing must not change. */
async function tellsOfImport(): Promise<number> {
  const file = privateBookmarks(full.data, 'more', PRIVATE / 4)
  run(full.data, ['import', file])
  let telling = 0
  for (let asked = 0; asked < 20; asked++) {
    const answers = await Promise.all(
      [bare, full].map(
        async ({ service, key }) => (await call(service.url, key, 'bookmarks.search', { search: 'mine' })).payload.hint
      )
    )
    if (answers[0] !== answers[1]) telling += 1
  }
  return telling
}
