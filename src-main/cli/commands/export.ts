import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Command, Option } from 'commander'
import type { BookmarkType, Visibility } from '../../contract/bookmark.ts'
import { EXPORT_DROPS, ExportFormatId } from '../../contract/library-export.ts'
import { Problem } from '../../contract/problem.ts'
import { type CommandProcess, type CommonOptions, common, print } from '../command.ts'
import { type Connection, read, withConnection } from '../connect.ts'
import { tagOption } from '../options.ts'
import { writeTarget } from '../write-target.ts'

interface ExportOptions extends CommonOptions {
  format?: ExportFormatId
  words?: string
  tag?: string[]
  domain?: string
  type?: BookmarkType
  visibility?: Visibility
  organization?: string
}

type Choice = Omit<ExportOptions, keyof CommonOptions>

/** `earmark export FILE` */
export function exportCommand(host: CommandProcess): Command {
  return common(new Command('export'))
    .description(
      'write your bookmarks to a file: .jsonl keeps everything, .html is for browsers, .csv for spreadsheets'
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
      return exportToOutput(options, host)
    })
}

async function exportFile(
  file: string,
  { data, json, ...options }: ExportOptions,
  host: CommandProcess
): Promise<void> {
  const format = options.format ?? formatOf(file)
  const bytes = await withConnection(data, (connection) =>
    writeTarget(file, data, host, (draft, signal) =>
      download(connection, { ...options, format }, draft, signal).catch((error) => {
        throw problemOf(error, file, draft)
      })
    )
  )
  const report = { file, format, bytes, leftOut: EXPORT_DROPS[format] }
  const size = bytes < MB / 10 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MB).toFixed(1)} MB`
  print(host, { json }, report, [`Exported ${size} to ${file}.`, `Left out: ${report.leftOut}.`])
}

const MB = 1_000_000

/** Writes the export to standard output and nothing else. */
async function exportToOutput({ data, ...options }: ExportOptions, host: CommandProcess): Promise<void> {
  await withConnection(data, async (connection) => {
    const source = await exportStream(connection, { ...options, format: options.format ?? 'jsonl' })
    await pipeline(source, host.stdout, { end: false })
  })
}

/** @returns its size in bytes, once it is on disk */
async function download(connection: Connection, choice: Choice, file: string, signal: AbortSignal): Promise<number> {
  await pipeline(await exportStream(connection, choice), createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
    signal
  })
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
  return (await stat(file)).size
}

/** The export as the service writes it. */
async function exportStream(connection: Connection, { tag = [], ...options }: Choice): Promise<Readable> {
  const asked = new URLSearchParams(options)
  for (const one of tag) asked.append('tag', one)
  const response = await connection.send(`/exports?${asked}`, { method: 'GET' })
  if (!response.ok || !response.body) await read(response)
  return Readable.fromWeb(response.body as ReadableStream)
}

function problemOf(error: unknown, file: string, draft: string): unknown {
  if (error instanceof Problem) return error
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return new Problem('disk-full', 'The disk is full. Nothing was exported.')
  if (path === draft) return new Problem('not-found', `The file ${file} cannot be written.`)
  return new Problem(
    'service-unreachable',
    'The export stopped before it was complete. Nothing was written. Try again.'
  )
}

function formatOf(file: string): ExportFormatId {
  const ending = extname(file).slice(1).toLowerCase()
  const found = ExportFormatId.safeParse(ending === 'htm' ? 'html' : ending)
  if (found.success) return found.data
  throw new Problem('invalid', 'Name a file that ends in .jsonl, .html or .csv, or choose one with --format.')
}
