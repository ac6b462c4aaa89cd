import { resolve } from 'node:path'
import { type Readable, Transform, type Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import ProgressBar from 'progress'
import { errorBody, Problem } from '../contract/problem.ts'
import { removeInvisible } from '../core/clean-text.ts'
import { describeLoss, LibraryLost } from '../host/open-library.ts'
import { asTyped, quoted } from '../host/own-program.ts'

/** The parts of its process that a command uses. */
export interface CommandProcess {
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable & { isTTY?: boolean }
  once(signal: StopSignal, listener: () => void): unknown
  off(signal: StopSignal, listener: () => void): unknown
  kill(pid: number, signal: 'SIGKILL' | 'SIGTERM'): unknown
}

type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Options of every command. */
export interface CommonOptions {
  data?: string
  json?: boolean
}

/**
 * Runs the command line and returns its exit code: 0 done, 1 a problem, 2 wrong usage. A problem is one line on stderr,
 * or `{"error":{code,message}}` on stdout with `--json`.
 */
export async function run(program: Command, args: string[], host: CommandProcess): Promise<number> {
  const json = args.includes('--json')
  for (const command of allCommands(program)) {
    command.exitOverride()
    command.configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => json || host.stderr.write(forTerminal(text))
    })
  }
  const report = (code: string, message: string) => {
    const text = asTyped(message)
    if (json) host.stdout.write(`${JSON.stringify(errorBody(code, text))}\n`)
    else host.stderr.write(`${forTerminal(text)}\n`)
  }
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

/** Thrown by a command that has printed its results, but did not finish its work. The exit code is then 1. */
export class Unfinished extends Error {}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? ''
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => allCommands(child as Command))]
}

/** Returns the message of a lost library and the ways to continue, in one line. */
function adviceFor({ message, recovery }: LibraryLost): string {
  const ways = [
    ...(recovery.backup ? ['To restore it: earmark restore --newest.'] : []),
    'To start with an empty library: earmark restore --empty.'
  ]
  return [message, describeLoss(recovery), ...ways].join(' ')
}

/** Prints a command's result: the value as JSON, or the lines for a person, if there are any. */
export function print(
  { stdout }: Pick<CommandProcess, 'stdout'>,
  options: CommonOptions,
  value: object,
  lines: string | string[]
): void {
  const printed = options.json ? [JSON.stringify(value)] : [lines].flat().map(forTerminal)
  if (printed.length > 0) stdout.write(`${printed.join('\n')}\n`)
}

/** Removes escapes, which could control the terminal, because files, pages and names contain text that others wrote. */
export function forTerminal(text: string): string {
  const parts = text.split(MARKS)
  return parts.map((part, index) => (index % 2 === 1 ? part : removeInvisible(part).replaceAll('\r', ''))).join('')
}

// Escapes that mark search words, bold and yellow. They are not removed, because they hide and move nothing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape begins with one
const MARKS = /(\u001b\[(?:1|22|33|39)m)/

/** Returns a command for this library as a person types it, such as `earmark login`. */
export function commandFor(data: string | undefined, command: string): string {
  return asTyped(data === undefined ? command : `${command} --data ${quoted(resolve(data))}`)
}

export function common(command: Command): Command {
  return command
    .option('--data <folder>', 'the data folder (default: the platform’s application-data folder)')
    .option('--json', 'print one JSON object and nothing else')
}

/** Reads an option that is a whole number. `expected` is the error message for another value. */
export function wholeNumber({ from, to, expected }: { from: number; to: number; expected: string }) {
  return (text: string): number => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < from || number > to) throw new InvalidArgumentError(expected)
    return number
  }
}

export function pageOption(): Option {
  const parse = wholeNumber({ from: 1, to: 1_000_000, expected: 'Give a whole number from 1 to 1,000,000.' })
  return new Option('--page <n>', 'page number').argParser(parse).default(1)
}

/** `--limit <n>`, the page size. */
export function limitOption(description: string): Option {
  const parse = wholeNumber({ from: 1, to: 100, expected: 'Give a whole number from 1 to 100.' })
  return new Option('--limit <n>', description).argParser(parse).default(20)
}

/** `--tag <tag>`, repeatable. */
export function tagOption(description = 'only with this tag; repeat the option for several'): Option {
  return repeatableOption('--tag <tag>', description)
}

/** An option that may be given several times. */
export function repeatableOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, all: string[] = []) => [...all, value])
}

/** Runs work with a signal that the first Ctrl-C aborts; a second one ends the process. */
export async function withInterrupt<T>(host: CommandProcess, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController()
  const onInterrupt = () => interrupt.abort()
  host.once('SIGINT', onInterrupt)
  try {
    return await work(interrupt.signal)
  } finally {
    host.off('SIGINT', onInterrupt)
  }
}

/**
 * Creates a progress bar that is drawn only in a terminal.
 *
 * @param text with `:bar` and `:percent`
 */
export function createProgressBar(output: CommandProcess['stderr'], text = '[:bar] :percent') {
  const bar = new ProgressBar(text, {
    total: 100,
    width: 30,
    complete: '#',
    incomplete: ' ',
    clear: true,
    stream: output as WriteStream
  })
  return {
    /** @param share from 0 to 1 */
    draw: (share: number) => bar.update(Math.min(1, share)),
    clear: () => bar.terminate()
  }
}

/** Creates a stream that forwards bytes unchanged, and draws their share of `total`. */
export function withProgress(total: number, output: CommandProcess['stderr']): Transform {
  const bar = createProgressBar(output)
  let passed = 0
  return new Transform({
    transform(bytes: Buffer, _, next) {
      passed += bytes.length
      bar.draw(passed / total)
      next(null, bytes)
    },
    flush(next) {
      bar.clear()
      next()
    },
    destroy(error, next) {
      bar.clear()
      next(error)
    }
  })
}
