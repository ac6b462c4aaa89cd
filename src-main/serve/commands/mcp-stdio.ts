import { Command, Option } from 'commander'
import { hc } from 'hono/client'
import { Problem } from '../../contract/problem.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { readServiceFile } from '../../host/service-file.ts'
import { standardInput } from '../../host/standard-input.ts'
import type { Api } from '../../server/api.ts'
import type { CommonOptions } from '../command.ts'
import { assertOurs, read } from '../connect.ts'
import { type BridgeTarget, createStdioBridge, NOT_RUNNING } from '../stdio-bridge.ts'

interface BridgeOptions extends CommonOptions {
  keyId?: string
  names?: 'underscore'
}

/** `earmark mcp-stdio`: for hosts that start a program instead of calling an address. */
export function mcpStdioCommand(): Command {
  return new Command('mcp-stdio')
    .description('speak MCP over standard input and output, for hosts that start a program (Claude Desktop, JetBrains)')
    .option('--key-id <id>', 'the key to use, from keys list (default: EARMARK_KEY, or the only key that is stored)')
    .addOption(new Option('--names <form>', 'list tool names without a dot').choices(['underscore']))
    .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
    .action((options: BridgeOptions) => bridge(options))
}

async function bridge(options: BridgeOptions): Promise<void> {
  const folder = prepareDataFolder(options.data)
  let key = options.keyId === undefined ? process.env.EARMARK_KEY?.trim() || undefined : undefined
  if (key !== undefined && !isWellFormedKey(key)) throw new Problem('invalid', 'EARMARK_KEY holds no whole key.')
  let known: string | undefined

  async function findTarget(): Promise<BridgeTarget> {
    const running = readServiceFile(folder)
    if (!running) throw new Problem('service-unreachable', NOT_RUNNING)
    // A key is shown to nobody but the service that left the file.
    if (known !== running.token) await assertOurs(running)
    known = running.token
    key ??= await findKey(running, options.keyId)
    const query = options.names === 'underscore' ? '?names=underscore' : ''
    return { mcp: `${running.url}/api/tools/mcp${query}`, key }
  }

  let warned: string | undefined
  const warn = (message: string) => {
    if (message !== warned) process.stderr.write(`${message}\n`)
    warned = message
  }
  const carry = createStdioBridge(findTarget, warn)
  if (!readServiceFile(folder)) warn(NOT_RUNNING)
  for await (const line of linesOf(standardInput().setEncoding('utf8'))) {
    if (line.trim() === '') continue
    const answer = await carry(line)
    if (answer !== undefined) process.stdout.write(`${answer}\n`)
  }
}

/** The secret of the key that was named, or of the only active one whose secret is kept. */
async function findKey({ url, token }: { url: string; token: string }, id: string | undefined): Promise<string> {
  const api = hc<Api>(`${url}/api`, { headers: { authorization: `Bearer ${token}` } })
  const chosen = id ?? onlyOne((await read(await api.keys.$get())).filter(isKept))
  const { key } = await read(await api.keys[':id'].secret.$get({ param: { id: chosen } }))
  return key
}

function isKept({ state, keychain }: { state: string; keychain: string }): boolean {
  return state === 'active' && keychain !== 'shown-once'
}

function onlyOne(keys: { id: string; name: string }[]): string {
  const [first, second] = keys
  if (!first) {
    throw new Problem('not-found', 'No stored API key. Make one with keys create, or set EARMARK_KEY to a key.')
  }
  if (second) {
    const names = keys.map((key) => `${key.id} (${key.name})`).join(', ')
    throw new Problem('invalid', `There are several stored keys; name one with --key-id: ${names}`)
  }
  return first.id
}

/** Messages end with a line feed and nothing else; Node's own line reader also ends them at characters JSON may hold. */
async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of input) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}
