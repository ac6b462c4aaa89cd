import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ImportReport } from '../../contract/import-report.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanText } from '../../core/clean-text.ts'
import { fileWatch } from '../../core/file-watch.ts'
import { type BookmarkSource, bookmarkSource, stampOf } from '../../host/bookmark-files.ts'
import { type CommandProcess, type CommonOptions, commandFor, common, print, Unfinished } from '../command.ts'
import { type Connection, read, withConnection } from '../connect.ts'
import { lineOnTerminal, withProgress } from '../progress.ts'

/** Rejected records a person is shown; `--json` has more. */
const SHOWN_REJECTS = 10

interface ImportOptions extends CommonOptions {
  format?: string
  encoding?: string
  dryRun?: boolean
  undo?: number
  watch?: boolean
}

/** `earmark import FILE` */
export function importCommand(host: CommandProcess): Command {
  return common(new Command('import'))
    .description('import bookmarks from a browser, another bookmark manager or Earmark; the file’s content says which')
    .argument('[file]', 'the file to import')
    .option(
      '--format <format>',
      'format of the file, such as netscape, chrome, raindrop, urls (default: by its content)'
    )
    .option('--encoding <name>', 'encoding of the file, such as windows-1251 or shift_jis (default: detected)')
    .option('--dry-run', 'show what would be imported, and import nothing')
    .option('--undo <id>', 'undo the import with this id', importId)
    .addOption(
      new Option(
        '--watch',
        'keep running, and import new bookmarks whenever a browser changes the file; never writes to it'
      ).conflicts(['dryRun', 'undo'])
    )
    .action((file: string | undefined, options: ImportOptions, command: Command) => {
      if (options.undo !== undefined) return undo(options.undo, options, host)
      if (file === undefined) command.error("error: missing required argument 'file'", { exitCode: 1 })
      return options.watch ? watch(file, options, host) : importFile(file, options, host)
    })
}

async function importFile(
  file: string,
  { data, format, encoding, dryRun, ...options }: ImportOptions,
  host: CommandProcess
): Promise<void> {
  const report = await send(await bookmarkSource(file), { data, format, encoding, dryRun }, host)
  print(host, options, report, linesOf(report, { data, dryRun }))
  if (report.cancelled || report.problem) throw new Unfinished()
  if (!dryRun) await untilSearchable(data, host)
}

/** How often it is asked how much is left, in milliseconds. */
const ASK_EVERY = 200

/** Stays until all is indexed, where no service runs that would go on with it. What is left waits for the next start. */
async function untilSearchable(data: string | undefined, { stderr }: CommandProcess): Promise<void> {
  await withConnection(data, async ({ running, api, catchUp }) => {
    await catchUp()
    const left = async () => (running ? 0 : (await read(await api.status.$get())).unindexed)
    const counter = lineOnTerminal(stderr)
    for (let count = await left(); count > 0; count = await left()) {
      counter.draw(`Preparing search: ${count.toLocaleString('en')} to go. Ctrl-C leaves the rest for later.`)
      await sleep(ASK_EVERY)
    }
    counter.clear()
  })
}

interface Sending {
  data: string | undefined
  format: string | undefined
  encoding: string | undefined
  dryRun?: boolean | undefined
  /** The watched file's name: bookmarks of it that the owner deleted here do not come back. */
  watched?: string
}

async function send(
  source: BookmarkSource,
  { data, format, encoding, dryRun, watched }: Sending,
  host: CommandProcess
): Promise<ImportReport> {
  const name = randomUUID()
  const asked = new URLSearchParams({ name })
  if (format !== undefined) asked.set('format', format)
  if (encoding !== undefined) asked.set('encoding', encoding)
  if (dryRun) asked.set('dry-run', 'true')
  if (watched !== undefined) asked.set('watched', watched)
  const work = async (connection: Connection) => {
    const bytes = pipeline(source.open(), withProgress(source.size, host.stderr), () => {}) // whoever reads it is told of errors
    const body = Readable.toWeb(bytes) as ReadableStream
    // Node wants to be told that it may send before it has read the answer.
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    return untilInterrupted(host, connection.send(`/imports?${asked}`, init).then(reportIn), async () =>
      reportIn(await connection.api.imports.running[':name'].cancel.$post({ param: { name } }))
    )
  }
  return withConnection(data, work, { makes: true, long: true })
}

async function watch(
  file: string,
  { data, format, encoding, ...options }: ImportOptions,
  host: CommandProcess
): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.once(signal, () => stop.abort())
  const asked = { data, format, encoding, watched: resolve(file) }
  await watchImport({
    file,
    signal: stop.signal,
    pass: async () => send(await bookmarkSource(file), asked, host),
    async onNew(report) {
      print(host, options, report, linesOf(report, { data }))
      await untilSearchable(data, host)
    },
    onProblem: ({ message }) => host.stderr.write(`${inOneLine(message)}\n`)
  })
}

/** Returns a name from a foreign file on one line, so that it cannot pass for a line of ours. */
function inOneLine(text: string): string {
  return cleanText(text, text.length)
}

function reportIn(response: { ok: boolean; status: number; json(): Promise<unknown> }): Promise<ImportReport> {
  return read(response as { ok: boolean; status: number; json(): Promise<ImportReport> })
}

/** Ctrl-C stops the import instead of the program, so that it can still say what came in; a second one ends it. */
async function untilInterrupted<T>(host: CommandProcess, answer: Promise<T>, stop: () => Promise<T>): Promise<T> {
  const stopped = Promise.withResolvers<T>()
  const onInterrupt = () => void stop().then(stopped.resolve, () => {}) // it had ended, and its answer is on its way
  host.once('SIGINT', onInterrupt)
  answer.catch(() => {})
  try {
    return await Promise.race([stopped.promise, answer])
  } finally {
    host.off('SIGINT', onInterrupt)
  }
}

function linesOf(report: ImportReport, { data, dryRun }: Pick<ImportOptions, 'data' | 'dryRun'>): string[] {
  const {
    imported,
    duplicate,
    rejected,
    rejects,
    unlisted,
    dropped = {},
    skipped = {},
    encodings = [],
    repeated = 0,
    merged,
    undo,
    cancelled,
    problem
  } = report
  const more = rejected - SHOWN_REJECTS
  const listed = (counts: object) =>
    Object.entries(counts)
      .map(([what, count]) => `${what} (${count})`)
      .join(', ')
  return [
    `${imported} ${dryRun ? 'new' : 'imported'}, ${duplicate - repeated} already there, ${rejected} rejected`,
    ...(repeated > 0 ? [`${repeated} are for pages that stand earlier in this file.`] : []),
    ...(merged ? [`For ${merged} of them, the title and description were added to the bookmark’s description.`] : []),
    ...rejects.slice(0, SHOWN_REJECTS).map(({ line, name, reason, file }) => {
      const record = line === undefined ? `“${inOneLine(name ?? 'untitled')}”` : `line ${line}`
      return `  ${file === undefined ? '' : `${inOneLine(file)}, `}${record}: ${reason}`
    }),
    ...(more > 0 ? [`  and ${more} more; --json lists ${unlisted ? `the first ${rejects.length}` : 'them all'}`] : []),
    ...(listed(skipped) === '' ? [] : [`Left out: ${listed(skipped)}.`]),
    ...(listed(dropped) === '' ? [] : [`Details that are not kept: ${listed(dropped)}.`]),
    ...(encodings.length > 0 ? [`The text of the file was read as ${encodings.join(', ')}.`] : []),
    ...(cancelled ? ['Stopped before the end of the file.'] : []),
    ...(problem ? [`Not all of the file was imported. ${problem.message}`] : []),
    ...(dryRun ? ['Nothing was written.'] : []),
    ...(undo === undefined ? [] : [`To undo it: ${commandFor(data, `earmark import --undo ${undo}`)}`])
  ]
}

async function undo(id: number, { data, ...options }: ImportOptions, host: CommandProcess): Promise<void> {
  const report = await withConnection(data, async ({ api }) =>
    read(await api.imports[':id'].undo.$post({ param: { id: String(id) }, query: {} }))
  )
  const kept = report.kept > 0 ? `; ${report.kept} were changed since and stay` : ''
  print(host, { json: options.json }, report, `${report.undone} moved to the trash${kept}.`)
}

function importId(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give the number that the import printed.')
  return Number(text)
}

/** How often the file is looked at, in milliseconds. A browser replaces it whole, or writes the log beside it. */
const LOOK_EVERY = 1000

interface Watch {
  file: string
  /** Imports what is new in the file. */
  pass(): Promise<ImportReport>
  onNew(report: ImportReport): Promise<void>
  /** The file could not be imported this time; called once for a problem that stays the same. */
  onProblem(problem: Problem): void
  signal: AbortSignal
}

/**
 * Imports a file, and again whenever it has changed and was then left alone for a moment, or a minute after that failed,
 * until it is told to stop.
 *
 * @throws Problem when the first time fails: then the file is not what it is taken for
 */
export async function watchImport({ file, pass, onNew, onProblem, signal }: Watch): Promise<void> {
  const fileState = fileWatch(await stampOf(file))
  let problem = ''
  await onNew(await pass())
  while (await rested(signal)) {
    if (!fileState.isDue(await stampOf(file), Date.now())) continue
    try {
      const report = await pass()
      problem = ''
      if (report.imported > 0) await onNew(report)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      fileState.failed(Date.now())
      if (error.message !== problem) onProblem(error)
      problem = error.message
    }
  }
}

async function rested(signal: AbortSignal): Promise<boolean> {
  await sleep(LOOK_EVERY, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
