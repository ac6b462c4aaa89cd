import { Command } from 'commander'
import { version } from '../host/package-facts.ts'
import { run } from './command.ts'

/** Runs one command line, the name of the program left out, and says how it ended; see `run`. */
export async function runCommandLine(args: string[]): Promise<number> {
  // Whoever reads the output may stop early, as `head` does.
  process.stdout.on('error', () => process.exit())
  const program = new Command('earmark')
    .description('Your bookmarks, on your machine, for you and the agents in your editor.')
    .version(version)
  for (const command of await commandsFor(args[0])) program.addCommand(command)
  return run(program, args)
}

/** The command that is named, loaded without the others; all of them where none is. */
async function commandsFor(name: string | undefined): Promise<Command[]> {
  const load = COMMANDS.get(name ?? '')
  if (load) return [await load()]
  return Promise.all([...COMMANDS.values()].map((one) => one()))
}

/** In the order that help lists them. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand()],
  ['keys', async () => (await import('./commands/keys.ts')).keysCommand()],
  ['connect', async () => (await import('./commands/connect.ts')).connectCommand()],
  ['organizations', async () => (await import('./commands/organizations.ts')).organizationsCommand()],
  ['add', async () => (await import('./commands/add.ts')).addCommand()],
  ['import', async () => (await import('./commands/import.ts')).importCommand()],
  ['export', async () => (await import('./commands/export.ts')).exportCommand()],
  ['backup', async () => (await import('./commands/backup.ts')).backupCommand()],
  ['restore', async () => (await import('./commands/backup.ts')).restoreCommand()],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand()],
  ['search', async () => (await import('./commands/search.ts')).searchCommand()],
  ['duplicates', async () => (await import('./commands/duplicates.ts')).duplicatesCommand()],
  ['check-links', async () => (await import('./commands/check-links.ts')).checkLinksCommand()],
  ['login', async () => (await import('./commands/login.ts')).loginCommand()],
  ['mcp-stdio', async () => (await import('./commands/mcp-stdio.ts')).mcpStdioCommand()],
  ['native-host', async () => (await import('./commands/native-host.ts')).nativeHostCommand()]
])
