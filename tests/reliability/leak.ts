/**
 * Nobody sees what is not theirs. No byte of a key is in any file of the data folder or in any process's command line;
 * and what a key of an organization is answered is the same, byte for byte, whatever else the library holds: two
 * libraries that differ only in private bookmarks and in another organization's are asked the same by every tool and
 * at every address.
 *
 * The planted fault is a key of the profile in the place of the organization's, and a key in a file.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '../support/random.ts'
import { call, makeKey, options, report, run, type Service, start, tempFolder, tried } from './support.ts'

const CALLS = options.n(400)
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'secretly', 'hidden', 'orchid', 'walrus', 'zeppelin']
const next = randomFrom(options.seed)
const pick = <T>(all: T[]): T => all[Math.floor(next() * all.length)] as T

const bare = await library(false)
const full = await library(true)
let differing = 0

for (let number = 0; number < CALLS; number++) {
  const [name, args] = request()
  const answers = await Promise.all([bare, full].map((one) => answerOf(one, name, args)))
  if (answers[0] !== answers[1]) differing += 1
}
for (const path of PATHS()) {
  const answers = await Promise.all([bare, full].map((one) => visit(one, path)))
  if (answers[0] !== answers[1]) differing += 1
}
if (options.plant) writeFileSync(join(full.data, 'notes.txt'), full.key)
const files = [bare, full].reduce((sum, { data, key }) => sum + filesWith(data, key.slice(10, 40)), 0)
const lines = [bare, full].reduce((sum, { key }) => sum + processesWith(key.slice(10, 40)), 0)
for (const { service } of [bare, full]) await service.end('SIGTERM')

const none = (what: string, count: number) => ({ what, value: String(count), target: '0', met: count === 0 })
report('leak', [
  tried('calls of an organization’s key', CALLS, 1),
  none('answers that tell two libraries apart', differing),
  none('files with bytes of a key', files),
  none('command lines with bytes of a key', lines)
])

interface Library {
  data: string
  service: Service
  key: string
}

/** @param withMore holds private bookmarks and another organization's beside what both hold */
async function library(withMore: boolean): Promise<Library> {
  const data = tempFolder()
  for (const name of ['Mine', 'Theirs']) run(data, ['organizations', 'create', '--name', name])
  const own = makeKey(data)
  const mine = makeKey(data, '--organization', 'Mine')
  const theirs = makeKey(data, '--organization', 'Theirs')
  const service = await start(data)
  await insert(service, mine, 'mine', WORDS.slice(0, 4), 60)
  if (withMore) {
    await insert(service, own, 'private', WORDS, 200)
    await insert(service, theirs, 'theirs', WORDS, 200)
  }
  return { data, service, key: options.plant ? own : mine }
}

async function insert(service: Service, key: string, site: string, words: string[], count: number): Promise<void> {
  const urls = Array.from({ length: count }, (_, index) => {
    return `https://${site}-${words[index % words.length]}.example/${words[(index * 7) % words.length]}/${index}`
  })
  await call(service.url, key, 'bookmarks.insert', { urls })
}

function request(): [name: string, args: object] {
  const word = () => (next() < 0.3 ? pick(WORDS).slice(0, 2 + Math.floor(next() * 4)) : pick(WORDS))
  const search = next() < 0.7 ? Array.from({ length: 1 + Math.floor(next() * 3) }, word).join(' ') : undefined
  const args = {
    search: next() < 0.1 ? `"${search ?? 'alpha'}"` : search,
    tags: next() < 0.2 ? [word()] : undefined,
    domain: next() < 0.2 ? `private-${word()}.example` : undefined,
    visibility: next() < 0.3 ? pick(['private', 'organization', 'public']) : undefined,
    type: next() < 0.2 ? pick(['link', 'image', 'color', 'text']) : undefined,
    page: next() < 0.2 ? 1 + Math.floor(next() * 40) : undefined,
    limit: next() < 0.5 ? 1 + Math.floor(next() * 60) : undefined
  }
  // What is saved by one is saved by the other: a page that others hold is new to it.
  if (next() < 0.15)
    return ['bookmarks.insert', { urls: `https://private-${word()}.example/${word()}/${pick([1, 7, 9])}` }]
  return ['bookmarks.search', args]
}

/** Ids and times differ by nature. */
async function answerOf({ service, key }: Library, name: string, args: object): Promise<string> {
  const { status, payload, isError } = await call(service.url, key, name, args)
  const text = JSON.stringify({ status, isError, payload })
  return text.replace(/"(id|createdAt|updatedAt|created_at|updated_at)":"[^"]*"/g, '"$1":""')
}

function PATHS(): string[] {
  const routes = 'status bookmarks trash duplicates link-checks colors/similar tags keys calls organizations settings'
  const more = 'events imports exports?format=csv backups pictures/x session undo/1 proof'
  return `${routes} ${more}`.split(' ').map((path) => `/api/${path}`)
}

async function visit({ service, key }: Library, path: string): Promise<string> {
  const headers = { 'x-api-key': key, authorization: `Bearer ${key}` }
  const answer = await fetch(service.url + path, { headers })
  const text = await answer.text()
  return path === '/api/proof' ? String(answer.status) : `${answer.status} ${text}`
}

function filesWith(folder: string, text: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text)).length
}

function processesWith(text: string): number {
  if (process.platform !== 'linux') return 0
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(text)).length
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
