import { Command } from 'commander'
import { EXTENSION } from '../../contract/extension-id.ts'
import { Problem } from '../../contract/problem.ts'
import { howToStart } from '../../host/own-program.ts'
import type { CommandProcess } from '../command.ts'

/** `earmark native-host`: for the browser extension; browsers start it, and tell it for which extension. */
export function nativeHostCommand(host: CommandProcess): Command {
  return (
    new Command('native-host')
      .description('speak with the browser extension over standard input and output; browsers start it')
      .argument('[caller...]', 'what the browser says of the extension')
      .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
      // On Windows browsers add one of their own.
      .allowUnknownOption()
      .action((caller: string[], { data }: { data?: string }) => speak(caller, data, host))
  )
}

async function speak(caller: string[], data: string | undefined, host: CommandProcess): Promise<void> {
  if (!isOurs(caller)) {
    throw new Problem(
      'forbidden',
      'Only Earmark’s own browser extension can use this command. To set it up: earmark connect'
    )
  }
  // Only who needs it loads it: every command starts with this file.
  const [{ speakFrames }, { createFindService }, { startService }] = await Promise.all([
    import('../bridge/speak-frames.ts'),
    import('../bridge/find-service.ts'),
    import('../bridge/start-service.ts')
  ])
  await speakFrames(createFindService({ data, start: startService, howToStart: howToStart() }), host)
}

/** Chromium gives the extension's origin; Firefox the manifest's path, then the extension's id. */
function isOurs([first, second]: string[]): boolean {
  return first === `chrome-extension://${EXTENSION.chromium}/` || second === EXTENSION.firefox
}
