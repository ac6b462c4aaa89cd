import { Command, Option } from 'commander'
import { asTyped, howToStart } from '../../host/own-program.ts'
import type { CommandProcess, CommonOptions } from '../command.ts'

interface BridgeOptions extends CommonOptions {
  keyId?: string
  names?: 'underscore'
  start: boolean
}

/** `earmark mcp-stdio`: for hosts that start a program instead of calling an address. */
export function mcpStdioCommand(host: CommandProcess): Command {
  return new Command('mcp-stdio')
    .description('speak MCP over standard input and output; starts the service when a call needs it')
    .option('--key-id <id>', 'the key to use, from keys list (default: EARMARK_KEY, or the only key that is stored)')
    .addOption(new Option('--names <form>', 'list tool names without a dot').choices(['underscore']))
    .option('--no-start', 'never start the service')
    .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
    .action((options: BridgeOptions) => bridge(options, host))
}

async function bridge({ data, keyId, names, start }: BridgeOptions, host: CommandProcess): Promise<void> {
  // Only who needs it loads it: every command starts with this file.
  const [{ speakStdio }, { createFindTarget }, { startService }] = await Promise.all([
    import('../bridge/speak-stdio.ts'),
    import('../bridge/find-target.ts'),
    import('../bridge/start-service.ts')
  ])
  const underscoreNames = names === 'underscore'
  const findTarget = createFindTarget({
    data,
    keyId,
    underscoreNames,
    start: start ? startService : undefined,
    advice: {
      start: howToStart(),
      makeKey: `Create one with ${asTyped('earmark keys create --name NAME')}`,
      chooseKey: 'Choose one with --key-id'
    }
  })
  await speakStdio(findTarget, { underscoreNames }, host)
}
