import { Command, Option } from 'commander'
import { standardInput } from '../../host/standard-input.ts'
import type { CommonOptions } from '../command.ts'

interface BridgeOptions extends CommonOptions {
  keyId?: string
  names?: 'underscore'
  start: boolean
}

/** `earmark mcp-stdio`: for hosts that start a program instead of calling an address. */
export function mcpStdioCommand(): Command {
  return new Command('mcp-stdio')
    .description('speak MCP over standard input and output; starts the service when a call needs it')
    .option('--key-id <id>', 'the key to use, from keys list (default: EARMARK_KEY, or the only key that is stored)')
    .addOption(new Option('--names <form>', 'list tool names without a dot').choices(['underscore']))
    .option('--no-start', 'never start the service')
    .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
    .action((options: BridgeOptions) => bridge(options))
}

/** Nothing that is wrong ends it: whoever speaks to it is told when it calls. */
async function bridge({ data, keyId, names, start }: BridgeOptions): Promise<void> {
  // Only who needs it loads it: every command starts with this file.
  const [{ createStdioBridge }, { createFindTarget }] = await Promise.all([
    import('../bridge/carry.ts'),
    import('../bridge/find-target.ts')
  ])
  let warned: string | undefined
  const warn = (message: string) => {
    if (message !== warned) process.stderr.write(`${message}\n`)
    warned = message
  }
  const underscoreNames = names === 'underscore'
  const findTarget = createFindTarget({ data, keyId, underscoreNames, starts: start })
  const answer = createStdioBridge(findTarget, { underscoreNames, warn })
  const underWay = new Set<Promise<void>>()
  for await (const line of linesOf(standardInput().setEncoding('utf8'))) {
    if (line.trim() === '') continue
    const work = answer(line).then((body) => {
      if (body !== undefined) process.stdout.write(`${body}\n`)
      underWay.delete(work)
    })
    underWay.add(work)
  }
  await Promise.all(underWay)
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
