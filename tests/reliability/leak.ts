/**
 * No byte of a key is in any file of the data folder or in any process's command line; and what a key of an organization is
 * answered is the same, byte for byte, whatever else the library holds: two libraries that differ only in private bookmarks
 * and in another organization's get the same calls of every tool and requests of every address.
 *
 * The planted fault is a key of the profile in the place of the organization's, and a key in a file.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callTool, makeKey, type Running, runJson } from '../support/earmark.ts'
import { figure, options, random, report, start, tempFolder } from './harness.ts'

const CALLS = options.n(400)
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'secretly', 'hidden', 'orchid', 'walrus', 'zeppelin']
const PATHS = (
  'status bookmarks trash duplicates link-checks colors/similar tags keys calls organizations settings events imports ' +
  'exports?format=csv backups pictures/x session undo/1 proof'
).split(' ')

const both = [await makeLibrary(false), await makeLibrary(true)]
let differing = 0
for (let number = 0; number < CALLS; number++) {
  const [name, args] = randomCall()
  await compare((library) => answerOf(library, name, args))
}
for (const path of PATHS) await compare((library) => visit(library, `/api/${path}`))
if (options.plant) writeFileSync(join(both[1]?.data ?? '', 'notes.txt'), both[1]?.key ?? '')
const secretOf = (key: string) => key.slice(10, 40)
const files = both.flatMap(({ data, key }) => filesWith(data, secretOf(key)))
const processes = both.flatMap(({ key }) => processesWith(secretOf(key)))
for (const { service } of both) await service.end('SIGTERM')

report([
  figure.atLeast('calls of an organization’s key', CALLS, 1),
  figure.zero('answers that tell two libraries apart', differing),
  figure.zero('files with bytes of a key', files.length),
  figure.zero('command lines with bytes of a key', processes.length)
])

interface Library {
  data: string
  service: Running
  key: string
}

async function compare(answer: (library: Library) => Promise<string>): Promise<void> {
  const [bare, full] = await Promise.all(both.map(answer))
  if (bare !== full) differing += 1
}

/** @param withMore adds private bookmarks and another organization's */
async function makeLibrary(withMore: boolean): Promise<Library> {
  const data = tempFolder()
  for (const name of ['Mine', 'Theirs']) await runJson(data, ['organizations', 'create', '--name', name])
  const own = await makeKey(data)
  const mine = await makeKey(data, '--organization', 'Mine')
  const theirs = await makeKey(data, '--organization', 'Theirs')
  const service = await start(data)
  await insert(service, mine, 'mine', WORDS.slice(0, 4), 60)
  if (withMore) {
    await insert(service, own, 'private', WORDS, 200)
    await insert(service, theirs, 'theirs', WORDS, 200)
  }
  return { data, service, key: options.plant ? own : mine }
}

async function insert({ url }: Running, key: string, site: string, words: string[], count: number): Promise<void> {
  const urls = Array.from({ length: count }, (_, index) => {
    return `https://${site}-${words[index % words.length]}.example/${words[(index * 7) % words.length]}/${index}`
  })
  await callTool(url, key, 'bookmarks.insert', { urls })
}

function randomCall(): [name: string, args: object] {
  const word = () => (random.share() < 0.3 ? random.pick(WORDS).slice(0, 2 + random.int(4)) : random.pick(WORDS))
  // Both libraries save the same. A page that others have is new to this key.
  if (random.share() < 0.15) {
    return ['bookmarks.insert', { urls: `https://private-${word()}.example/${word()}/${random.pick([1, 7, 9])}` }]
  }
  const search = random.share() < 0.7 ? Array.from({ length: 1 + random.int(3) }, word).join(' ') : undefined
  const args = {
    search: random.share() < 0.1 ? `"${search ?? 'alpha'}"` : search,
    tags: random.share() < 0.2 ? [word()] : undefined,
    domain: random.share() < 0.2 ? `private-${word()}.example` : undefined,
    visibility: random.share() < 0.3 ? random.pick(['private', 'organization', 'public']) : undefined,
    type: random.share() < 0.2 ? random.pick(['link', 'image', 'color', 'text']) : undefined,
    page: random.share() < 0.2 ? 1 + random.int(40) : undefined,
    limit: random.share() < 0.5 ? 1 + random.int(60) : undefined
  }
  return ['bookmarks.search', args]
}

/** Ids and times always differ. */
async function answerOf({ service, key }: Library, name: string, args: object): Promise<string> {
  const text = JSON.stringify(await callTool(service.url, key, name, args))
  return text.replace(/"(id|createdAt|updatedAt|created_at|updated_at)":"[^"]*"/g, '"$1":""')
}

async function visit({ service, key }: Library, path: string): Promise<string> {
  const headers = { 'x-api-key': key, authorization: `Bearer ${key}` }
  const answer = await fetch(service.url + path, { headers })
  const text = await answer.text()
  return path === '/api/proof' ? String(answer.status) : `${answer.status} ${text}`
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
}

function processesWith(text: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandLine(name).includes(text))
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // It ended meanwhile.
  }
}
