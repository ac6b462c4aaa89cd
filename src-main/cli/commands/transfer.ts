import { randomUUID } from 'node:crypto'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { pipeline as pipelineDone } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { BookmarkType, Visibility } from '../../contract/bookmark.ts'
import type { ImportReport } from '../../contract/import-report.ts'
import { EXPORT_DROPS, EXPORT_ENDINGS, ExportFormatId } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanText } from '../../core/clean-text.ts'
import { bookmarkSource } from '../../host/bookmark-files.ts'
import { usualFolder } from '../../host/data-folder.ts'
import { replaceFile } from '../../integrations/files.ts'
import {
  type CommandProcess,
  type CommonOptions,
  commandFor,
  common,
  createProgressBar,
  print,
  tagOption,
  Unfinished,
  withInterrupt,
  withProgress
} from '../command.ts'
import { type Connection, callApi, read, withConnection } from '../service-client.ts'

interface ImportOptions extends CommonOptions {
  format?: string
  encoding?: string
  dryRun?: boolean
  undo?: number
}

export function importCommand(host: CommandProcess): Command {
  return common(new Command('import'))
    .description('import bookmarks from a browser, another bookmark manager or Earmark; the file’s content says which')
    .argument('[file]', 'the file to import')
    .option(
      '--format <format>',
      'format of the file (default: by its content); with an unknown one, the error lists them all'
    )
    .option('--encoding <name>', 'encoding of the file, such as windows-1251 or shift_jis (default: detected)')
    .option('--dry-run', 'show what would be imported, and import nothing')
    .option('--undo <id>', 'undo the import with this id', importId)
    .action((file: string | undefined, options: ImportOptions, command: Command) => {
      if (options.undo !== undefined) return undo(options.undo, options, host)
      if (file === undefined) command.error("error: missing required argument 'file'", { exitCode: 1 })
      return importFile(file, options, host)
    })
}

export function importsCommand(host: CommandProcess): Command {
  return common(new Command('imports'))
    .description('list earlier imports, the newest first')
    .action(async ({ data, json }: CommonOptions) => {
      const imports = await callApi(data, (api) => api.imports.$get())
      const lines = imports.map(({ id, at, imported, undone, joined, file: name }) => {
        const what = joined ? `${imported} from other machines` : `${imported} imported`
        return [id, at, what, ...(undone ? ['undone'] : []), ...(name ? [onOneLine(name)] : [])].join('  ')
      })
      print(host, { json }, { imports }, lines.length > 0 ? lines : 'No imports yet.')
    })
}

function importId(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give the number that the import printed.')
  return Number(text)
}

async function importFile(file: string, options: ImportOptions, host: CommandProcess): Promise<void> {
  const { data, format, encoding, dryRun, json } = options
  const name = randomUUID()
  const query = new URLSearchParams({ name, file: basename(file).slice(-255) })
  if (format !== undefined) query.set('format', format)
  if (encoding !== undefined) query.set('encoding', encoding)
  if (dryRun) query.set('dry-run', 'true')
  const source = await bookmarkSource(file)
  const work = async (connection: Connection) => {
    const bytes = pipeline(source.open(), withProgress(source.size, host.stderr), () => {}) // the reader gets the errors
    // Node requires `duplex` for a body that is sent before the answer is read.
    const init = { method: 'POST', body: Readable.toWeb(bytes) as ReadableStream, duplex: 'half' } as RequestInit
    const done = connection.send(`/imports?${query}`, init).then(readReport)
    return untilInterrupted(host, done, async () =>
      readReport(await connection.api.imports.running[':name'].cancel.$post({ param: { name } }))
    )
  }
  const report = await withConnection(data, work, { creates: true, long: true })
  print(host, { json }, report, reportLines(report, options))
  if (report.cancelled || report.problem) throw new Unfinished()
  if (!dryRun) await untilSearchable(data, host)
}

function readReport(response: { ok: boolean; status: number; json(): Promise<unknown> }): Promise<ImportReport> {
  return read(response as { ok: boolean; status: number; json(): Promise<ImportReport> })
}

/** Ctrl-C stops the import instead of the program, so that the program can still report the result. */
function untilInterrupted<T>(host: CommandProcess, done: Promise<T>, stop: () => Promise<T>): Promise<T> {
  return withInterrupt(host, (signal) => {
    const stopped = Promise.withResolvers<T>()
    // Cancelling fails if the import has ended already.
    signal.addEventListener('abort', () => void stop().then(stopped.resolve, () => {}))
    done.catch(() => {})
    return Promise.race([stopped.promise, done])
  })
}

/** Interval in ms at which the number of unindexed bookmarks is read. */
const POLL_MS = 200

/** Without a running service, waits until all bookmarks are indexed. If stopped, the next start continues. */
async function untilSearchable(data: string | undefined, { stderr }: CommandProcess): Promise<void> {
  await withConnection(data, async ({ running, api, catchUp }) => {
    await catchUp()
    const countUnindexed = async () => (running ? 0 : (await read(await api.status.$get())).unindexed)
    const total = await countUnindexed()
    if (total === 0) return
    const bar = createProgressBar(stderr, 'Preparing search [:bar] :percent. Ctrl-C leaves the rest for later.')
    for (let count = total; count > 0; count = await countUnindexed()) {
      bar.draw((total - count) / total)
      await sleep(POLL_MS)
    }
    bar.clear()
  })
}

/** Maximum number of rejected records that are printed; `--json` has more. */
const MAX_SHOWN_REJECTS = 10

function reportLines(report: ImportReport, { data, dryRun }: ImportOptions): string[] {
  const {
    imported,
    duplicate,
    rejected,
    rejects,
    unlisted,
    repeated = 0,
    merged,
    highlighted,
    undo,
    cancelled,
    problem
  } = report
  const { dropped = {}, skipped = {}, encodings = [] } = report
  const more = rejected - MAX_SHOWN_REJECTS
  const listed = (counts: object) =>
    Object.entries(counts)
      .map(([what, count]) => `${what} (${count})`)
      .join(', ')
  return [
    `${imported} ${dryRun ? 'new' : 'imported'}, ${duplicate - repeated} already there, ${rejected} rejected`,
    ...(repeated > 0 ? [`${repeated} are for pages that are also earlier in this file.`] : []),
    ...(merged ? [`For ${merged} of them, the title and description were added to the bookmark’s description.`] : []),
    ...(highlighted ? [`${highlighted} of those already there got highlights.`] : []),
    ...rejects.slice(0, MAX_SHOWN_REJECTS).map(({ line, name, reason, file }) => {
      const place = [file && onOneLine(file), line && `line ${line}`, name && `“${onOneLine(name)}”`]
        .filter(Boolean)
        .join(', ')
      return `  ${place || 'untitled'}: ${reason}`
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

/** Writes a name from a file in one line, so that it cannot look like a line of the report. */
function onOneLine(text: string): string {
  return cleanText(text, text.length)
}

async function undo(id: number, { data, json }: ImportOptions, host: CommandProcess): Promise<void> {
  const report = await callApi(data, (api) => api.imports[':id'].undo.$post({ param: { id: String(id) }, query: {} }))
  const kept = report.kept > 0 ? `; ${report.kept} were changed since and stay` : ''
  print(host, { json }, report, `${report.undone} moved to the trash${kept}.`)
}

interface ExportOptions extends CommonOptions {
  format?: ExportFormatId
  words?: string
  tag?: string[]
  domain?: string
  type?: BookmarkType
  visibility?: Visibility
  organization?: string
}

export function exportCommand(host: CommandProcess): Command {
  return common(new Command('export'))
    .description(
      'write your bookmarks to a file: .jsonl keeps everything, .html is for browsers, .csv for spreadsheets; .zip has a ' +
        'Markdown file for each bookmark, .epub is a book of their texts'
    )
    .argument('<file>', 'the file to write, replaced once the new one is complete; - is standard output')
    .addOption(
      new Option('--format <format>', 'format of the file (default: by the ending of its name)').choices(
        ExportFormatId.options
      )
    )
    .option('--words <words>', 'only bookmarks that a search for these words finds')
    .addOption(tagOption())
    .option('--domain <domain>', 'only this site and its subdomains')
    .addOption(new Option('--type <type>', 'only this type').choices(['link', 'image', 'color', 'text']))
    .addOption(
      new Option('--visibility <visibility>', 'only this visibility').choices(['private', 'organization', 'public'])
    )
    .option('--organization <name-or-id>', 'only this organization')
    .action((file: string, options: ExportOptions, command: Command) => {
      if (file !== '-') return exportFile(resolve(file), options, host)
      if (options.json) command.error('error: --json cannot be used with -. Name a file, or leave out --json')
      return withConnection(options.data, async (connection) => {
        const source = await openExport(connection, { format: 'jsonl', ...options })
        await pipelineDone(source, host.stdout, { end: false })
      })
    })
}

async function exportFile(file: string, options: ExportOptions, host: CommandProcess): Promise<void> {
  const { data, json, format = formatByName(file) } = options
  await withConnection(data, (connection) =>
    writeNamedFile(file, data, host, (signal) => openExport(connection, { ...options, format }, signal))
  )
  const { size: bytes } = await stat(file)
  const report = { file, format, bytes, leftOut: EXPORT_DROPS[format] }
  const size = bytes < MB / 10 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MB).toFixed(1)} MB`
  print(host, { json }, report, [`Exported ${size} to ${file}.`, `Left out: ${report.leftOut}.`])
}

const MB = 1_000_000

async function openExport(
  connection: Connection,
  { tag = [], data: _, json: __, ...options }: ExportOptions,
  signal?: AbortSignal
): Promise<Readable> {
  const query = new URLSearchParams(options)
  for (const name of tag) query.append('tag', name)
  const response = await connection.send(`/exports?${query}`, { method: 'GET', signal })
  if (!response.ok || !response.body) await read(response)
  return Readable.fromWeb(response.body as ReadableStream)
}

function formatByName(file: string): ExportFormatId {
  const ending = extname(file).slice(1).toLowerCase().replace(/^htm$/, 'html')
  const format = ExportFormatId.options.find((id) => EXPORT_ENDINGS[id] === ending)
  if (format) return format
  const endings = 'a file that ends in .jsonl, .html, .csv, .zip or .epub'
  throw new Problem('invalid', `Name ${endings}, or choose a format with --format.`)
}

/**
 * Writes a file that a person named. Ctrl-C stops it, and nothing is written.
 *
 * @throws Problem `invalid` if the file is a device or a folder, or is in the data folder
 */
export async function writeNamedFile(
  file: string,
  data: string | undefined,
  host: CommandProcess,
  open: (signal: AbortSignal) => Promise<Readable>
): Promise<void> {
  await assertWritable(file, data)
  await withInterrupt(host, async (signal) => {
    let content: Readable | undefined
    try {
      content = await open(signal)
      content.on('error', () => {}) // `replaceFile` throws it, unless Ctrl-C is earlier than its first read
      await replaceFile(file, content, 0o600, signal)
    } catch (error) {
      if (!signal.aborted) throw writeProblem(error, file)
      host.stderr.write('Stopped. Nothing was written.\n')
      throw new Unfinished()
    } finally {
      content?.destroy()
    }
  })
}

/** Refuses a file in the data folder, which could replace the open library, and a file that cannot be written. */
async function assertWritable(file: string, data: string | undefined): Promise<void> {
  const facts = await stat(file).catch(() => undefined)
  if (facts && !facts.isFile()) throw new Problem('invalid', `${file} is not a file. Name another one.`)
  const realPath = (path: string) => realpath(path).catch(() => path)
  const target = facts ? await realPath(file) : join(await realPath(dirname(file)), basename(file))
  const dataFolder = await realPath(data === undefined ? usualFolder() : resolve(data))
  if (target.startsWith(dataFolder + sep)) {
    throw new Problem('invalid', `Earmark keeps its own files in ${dataFolder}. Name a file in another folder.`)
  }
  // Checked before the work, because `replaceFile` would create a missing folder.
  await access(dirname(file)).catch((error) => {
    throw writeProblem(error, file)
  })
}

function writeProblem(error: unknown, file: string): unknown {
  if (error instanceof Problem) return error
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return new Problem('disk-full', 'The disk is full. Nothing was written.')
  if (path !== undefined) return new Problem('not-found', `The file ${file} cannot be written.`)
  return new Problem('service-unreachable', 'The file could not be completed. Nothing was written. Try again.')
}
