/** Every code block of the README and of the documents: its commands exist, and its answers are those of a service. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import packageFacts from '../../package.json' with { type: 'json' }
import { commandsFor } from '../../src-main/cli/program.ts'
import { makeKey, testService } from '../support/service.ts'

const root = join(import.meta.dirname, '../..')

interface Block {
  place: string
  language: string
  text: string
}

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownIn('docs'), ...markdownIn('docs/develop')]
const blocks = documents.flatMap(blocksOf)
const shell = blocks.filter(({ language }) => /^(sh|bash)$/.test(language))

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
}

function blocksOf(document: string): Block[] {
  const text = readFileSync(join(root, document), 'utf8')
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length
    return { place: `${document}:${line}`, language: match[2] ?? '', text: match[3] ?? '' }
  })
}

test('every code block has a language that is checked here', () => {
  expect(blocks.length).toBeGreaterThan(30)
  const known = ['sh', 'bash', 'json', 'text', 'ini', 'toml', 'yaml']
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ place }) => place)).toEqual([])
})

test.for(blocks.filter(({ language }) => language === 'json').map(({ place, text }) => [place, text] as const))(
  'the JSON at %s can be parsed',
  ([, text]) => {
    expect(JSON.parse(text)).toBeTypeOf('object')
  }
)

describe('in a shell block', () => {
  const lines = shell.flatMap(({ place, text }) => text.split('\n').map((line) => ({ place, line })))
  const earmark = lines.flatMap(({ place, line }) =>
    [...line.matchAll(/(?:npm run -s earmark -- |(?<![\w./@:"'-])earmark (?=[a-z]))([^|)<>#&;]*)/g)]
      .filter(([command]) => !command.startsWith('earmark ') || !/--scope user $/.test(line.split(command)[0] ?? ''))
      .map(([, args = '']) => [place, args.trim()] as const)
      .filter(([, args]) => args !== 'COMMAND')
  )
  const scripts = lines.flatMap(({ place, line }) =>
    [...line.matchAll(/npm (?:run (?:-s )?)?([a-z:]+)/g)].map(([, name = '']) => [place, name] as const)
  )

  test('the tests below find commands and scripts', () => {
    expect(earmark.length).toBeGreaterThan(20)
    expect(scripts.length).toBeGreaterThan(15)
  })

  test.for(earmark)('%s: earmark %s is a command with these options', async ([, line]) => {
    const args = wordsOf(line)
    const [name = ''] = args
    expect(await parses(name, args)).toBe(true)
  })

  test.for(scripts)('%s: npm has %s', ([, name]) => {
    expect(['ci', 'install', 'link', ...Object.keys(packageFacts.scripts)]).toContain(name)
  })
})

test('a command that does not exist, or has other options, is found', async () => {
  expect(await parses('unknown', ['unknown'])).toBe(false)
  expect(await parses('connect', ['connect', 'cursor', '--wrong'])).toBe(false)
  expect(await parses('connect', ['connect', 'cursor', '--dry-run'])).toBe(true)
})

/** Parses a command line as the program does, and runs nothing. */
async function parses(name: string, args: string[]): Promise<boolean> {
  if (name === 'complete') return args.length === 2
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const host = { ...streams, once: () => {}, off: () => {}, kill: () => {} }
  const commands = await commandsFor(name, host)
  const command = commands.find((found) => found.name() === name)
  if (!command) return false
  for (const part of withChildren(command)) {
    part.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} })
    part.action(() => {})
  }
  return command.parseAsync(args.slice(1), { from: 'user' }).then(
    () => true,
    () => false
  )
}

function withChildren(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => withChildren(child as Command))]
}

/** Splits a line as a shell does, as far as the documents need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? ''
  )
}

test('the requests in docs/endpoint.md get the answers that it shows', async () => {
  const service = await testService({ version: packageFacts.version })
  const key = await makeKey(service)
  const ofEndpoint = blocks.filter(({ place }) => place.startsWith('docs/endpoint.md'))
  const pairs = ofEndpoint.flatMap(({ text }, index) => {
    const request = /^call '(.*)'$/m.exec(text)?.[1]
    const answer = ofEndpoint[index + 1]
    return request && answer?.language === 'json' ? [{ request, answer: answer.text }] : []
  })
  expect(pairs.length).toBeGreaterThan(5)
  for (const { request, answer } of pairs) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', accept: '*/*' }
    const init = { method: 'POST', headers, body: request }
    const response = await service.fetch(new Request('http://127.0.0.1/api/tools/mcp', init))
    expect(withoutChance(await response.text())).toEqual(withoutChance(answer))
  }
})

/** Ids and times differ with each run. */
function withoutChance(json: string): unknown {
  return JSON.parse(json.replace(/(\\"id\\":\\")[\w-]{16}/g, '$1ID').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'))
}
