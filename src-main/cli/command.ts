import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type Command, CommanderError } from 'commander'
import { errorBody, Problem } from '../contract/problem.ts'
import { withoutUnseen } from '../core/clean-text.ts'
import { LibraryLost, lossOf } from '../host/library-lost.ts'
import { asTyped, quoted } from '../host/own-program.ts'

/** The parts of its process that a command uses. */
export interface CommandProcess {
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable & { isTTY?: boolean }
  /** Waits for a signal that tells the command to stop. */
  once(signal: StopSignal, listener: () => void): unknown
  off(signal: StopSignal, listener: () => void): unknown
  kill(pid: number, signal: 'SIGKILL'): unknown
}

type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Options every command takes. */
export interface CommonOptions {
  data?: string
  json?: boolean
}

/** Adds `--data` and `--json`, which every command takes. */
export function common(command: Command): Command {
  return command
    .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
    .option('--json', 'print one JSON object and nothing else')
}

/** Returns a command for this library as a person types it, such as `earmark login`. */
export function commandFor(data: string | undefined, command: string): string {
  return asTyped(data === undefined ? command : `${command} --data ${quoted(resolve(data))}`)
}

/** Prints a command's result: JSON as it is, or the lines a person reads. */
export function print(
  { stdout }: Pick<CommandProcess, 'stdout'>,
  options: CommonOptions,
  value: object,
  lines: string | string[]
): void {
  const text = options.json ? JSON.stringify(value) : [lines].flat().map(onTerminal).join('\n')
  stdout.write(`${text}\n`)
}

/** A command printed all there is to say, and did not do all it was asked: the exit code is 1. */
export class Unfinished extends Error {}

/**
 * Runs the command line and says how it ended: 0 done, 1 a problem, 2 wrong usage. A problem is one line on stderr, or
 * `{"error":{code,message}}` on stdout with `--json`.
 */
export async function run(program: Command, args: string[], host: CommandProcess): Promise<number> {
  const json = args.includes('--json')
  for (const command of everyCommand(program)) {
    command.exitOverride()
    command.configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => json || host.stderr.write(onTerminal(text))
    })
  }
  const report = (code: string, message: string) => writeProblem(host, { json, code, message: asTyped(message) })
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      if (json) report('usage', error.message.replace(/^error: /, ''))
      return 2
    }
    if (error instanceof Unfinished) return 1
    if (error instanceof LibraryLost) report(error.code, adviceFor(error))
    else if (error instanceof Problem) report(error.code, error.message)
    else report('internal', `Earmark failed unexpectedly: ${firstLine(error)}`)
    return 1
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? ''
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((one) => everyCommand(one as Command))]
}

/** In one line, as every problem is. */
function adviceFor({ message, recovery }: LibraryLost): string {
  const ways = [
    ...(recovery.backup ? ['To restore it: earmark restore --newest.'] : []),
    'To start with an empty library: earmark restore --empty.'
  ]
  return [message, lossOf(recovery), ...ways].join(' ')
}

function writeProblem(
  { stdout, stderr }: CommandProcess,
  { json, code, message }: { json: boolean; code: string; message: string }
): void {
  if (json) stdout.write(`${JSON.stringify(errorBody(code, message))}\n`)
  else stderr.write(`${onTerminal(message)}\n`)
}

/** Text as a terminal may have it: files, pages and names hold what others wrote, and escapes would steer the terminal. */
function onTerminal(text: string): string {
  const parts = text.split(MARKS)
  return parts.map((part, index) => (index % 2 === 1 ? part : withoutUnseen(part).replaceAll('\r', ''))).join('')
}

// What marks words that were searched for, bold and yellow: it hides and moves nothing, whoever wrote it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what it begins with
const MARKS = /(\u001b\[(?:1|22|33|39)m)/
