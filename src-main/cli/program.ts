import { Command } from 'commander'
import { version } from '../host/own-program.ts'
import { type CommandProcess, run } from './command.ts'

/** Runs a command line without the name of the program, and returns its exit code; see `run`. */
export async function runCommandLine(
  given: string[],
  host: CommandProcess = process,
  env = process.env
): Promise<number> {
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader may stop early, as `head` does.
    if (error.code === 'EPIPE') process.exit()
    const why = error.code === 'ENOSPC' ? 'the disk is full' : error.code
    host.stderr.write(`The output could not be written: ${why}.\n`)
    process.exit(1)
  })
  const program = new Command('earmark')
    .description('Your bookmarks, on your machine, for you and the agents in your editor.')
    .version(version)
    .enablePositionalOptions()
  const args = commandFirst(given)
  const commands = await commandsFor(args[0], host)
  const taken = commands.length === 1 && commands[0] ? takenByNpm(commands[0], args, env) : undefined
  if (taken !== undefined) {
    const line = `npm run -s earmark -- ${args.join(' ')} ${taken}`
    host.stderr.write(`error: npm kept ${taken} for itself. Put -- before the command: ${line}\n`)
    return 2
  }
  for (const command of commands) program.addCommand(command)
  if (commands.length > 1) await addCompletion(program)
  return run(program, args, host)
}

/** Adds `earmark complete SHELL`, which prints a script for the shell, and the command that this script calls. */
async function addCompletion(program: Command): Promise<void> {
  const { default: complete } = await import('@bomb.sh/tab/commander')
  complete(program)
}

/** Moves common options from before the command to the end of the arguments, because commands expect them there. */
function commandFirst(args: string[]): string[] {
  let count = 0
  while (/^--(data|data=.*|json)$/.test(args[count] ?? '')) count += args[count] === '--data' ? 2 : 1
  const [options, rest] = [args.slice(0, count), args.slice(count)]
  if (options.length === 0 || rest.length === 0) return args
  const end = rest.indexOf('--')
  return end === -1 ? [...rest, ...options] : [...rest.slice(0, end), ...options, ...rest.slice(end)]
}

/**
 * Returns an option of the command that npm used itself and put into the environment, because there was no `--` before
 * the command. Without that option, a dry run would be a real run. Options that people also set in their `.npmrc` are
 * not checked.
 */
function takenByNpm({ options }: Command, args: string[], env: NodeJS.ProcessEnv): string | undefined {
  if (env.npm_lifecycle_event !== 'earmark') return undefined
  const names = options.flatMap(({ long }) => long ?? []).filter((long) => !/^--(json|tag)$/.test(long))
  return names.find(
    (long) => env[`npm_config_${long.slice(2).replaceAll('-', '_')}`] !== undefined && !args.includes(long)
  )
}

/** Loads only the named command, or all commands if none has this name. */
export async function commandsFor(name: string | undefined, host: CommandProcess): Promise<Command[]> {
  const load = COMMANDS.get(name ?? '')
  if (load) return [await load(host)]
  return Promise.all([...COMMANDS.values()].map((loadCommand) => loadCommand(host)))
}

/** The commands, in the order in which help lists them. */
const COMMANDS = new Map<string, (host: CommandProcess) => Promise<Command>>([
  ['serve', async (host) => (await import('./commands/serve.ts')).serveCommand(host)],
  ['keys', async (host) => (await import('./commands/keys.ts')).keysCommand(host)],
  ['connect', async (host) => (await import('./commands/connect.ts')).connectCommand(host)],
  ['organizations', async (host) => (await import('./commands/keys.ts')).organizationsCommand(host)],
  ['add', async (host) => (await import('./commands/bookmarks.ts')).addCommand(host)],
  ['import', async (host) => (await import('./commands/transfer.ts')).importCommand(host)],
  ['imports', async (host) => (await import('./commands/transfer.ts')).importsCommand(host)],
  ['export', async (host) => (await import('./commands/transfer.ts')).exportCommand(host)],
  ['backup', async (host) => (await import('./commands/doctor.ts')).backupCommand(host)],
  ['restore', async (host) => (await import('./commands/doctor.ts')).restoreCommand(host)],
  ['doctor', async (host) => (await import('./commands/doctor.ts')).doctorCommand(host)],
  ['search', async (host) => (await import('./commands/bookmarks.ts')).searchCommand(host)],
  ['show', async (host) => (await import('./commands/edit.ts')).showCommand(host)],
  ['edit', async (host) => (await import('./commands/edit.ts')).editCommand(host)],
  ['tag', async (host) => (await import('./commands/edit.ts')).tagCommand(host)],
  ['delete', async (host) => (await import('./commands/edit.ts')).deleteCommand(host)],
  ['undo', async (host) => (await import('./commands/edit.ts')).undoCommand(host)],
  ['duplicates', async (host) => (await import('./commands/bookmarks.ts')).duplicatesCommand(host)],
  ['check-links', async (host) => (await import('./commands/check-links.ts')).checkLinksCommand(host)],
  ['sync', async (host) => (await import('./commands/sync.ts')).syncCommand(host)],
  ['stop', async (host) => (await import('./commands/serve.ts')).stopCommand(host)],
  ['login', async (host) => (await import('./commands/serve.ts')).loginCommand(host)],
  ['mcp-stdio', async (host) => (await import('./commands/bridges.ts')).mcpStdioCommand(host)],
  ['native-host', async (host) => (await import('./commands/bridges.ts')).nativeHostCommand(host)]
])
