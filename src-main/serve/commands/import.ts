import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { Command, InvalidArgumentError } from 'commander'
import type { ImportReport } from '../../contract/import-report.ts'
import { Problem } from '../../contract/problem.ts'
import { type CommonOptions, common, print } from '../command.ts'
import { read, withConnection } from '../connect.ts'
import { withProgress } from '../progress.ts'

/** Rejected records a person is shown; `--json` has more. */
const SHOWN_REJECTS = 10

interface ImportOptions extends CommonOptions {
  format?: string
  dryRun?: boolean
  undo?: number
}

/** `earmark import FILE` */
export function importCommand(): Command {
  return common(new Command('import'))
    .description('import bookmarks from a browser, another bookmark manager or Earmark; the file’s content says which')
    .argument('[file]', 'the file')
    .option('--format <format>', 'read it as this instead, for example netscape, chrome, raindrop, urls')
    .option('--dry-run', 'only say what would be imported')
    .option('--undo <id>', 'take back the import with this id', importId)
    .action((file: string | undefined, options: ImportOptions, command: Command) => {
      if (options.undo !== undefined) return undo(options.undo, options)
      if (file === undefined) command.error("error: missing required argument 'file'", { exitCode: 1 })
      return importFile(file, options)
    })
}

async function importFile(file: string, { data, format, dryRun, ...options }: ImportOptions): Promise<void> {
  const size = await sizeOf(file)
  const asked = new URLSearchParams({ ...(format !== undefined && { format }), ...(dryRun && { 'dry-run': 'true' }) })
  const report = await withConnection(data, async ({ send }) => {
    const bytes = pipeline(createReadStream(file), withProgress(size), () => {}) // whoever reads it is told of errors
    const body = Readable.toWeb(bytes) as ReadableStream
    // Node wants to be told that it may send before it has read the answer.
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    const response = await send(`/imports?${asked}`, init)
    return read(response as { ok: boolean; status: number; json(): Promise<ImportReport> })
  })
  print(options, report, linesOf(report, dryRun === true))
}

function linesOf({ imported, duplicate, rejected, rejects, unlisted, undo }: ImportReport, dryRun: boolean): string[] {
  const more = rejected - SHOWN_REJECTS
  return [
    `${imported} ${dryRun ? 'new' : 'imported'}, ${duplicate} already there, ${rejected} rejected`,
    ...rejects
      .slice(0, SHOWN_REJECTS)
      .map(({ line, reason, file }) => `  ${file === undefined ? '' : `${file}, `}line ${line}: ${reason}`),
    ...(more > 0 ? [`  and ${more} more; --json lists ${unlisted ? `the first ${rejects.length}` : 'them all'}`] : []),
    ...(dryRun ? ['Nothing was written.'] : []),
    ...(undo === undefined ? [] : [`To take it back: earmark import --undo ${undo}`])
  ]
}

async function undo(id: number, { data, ...options }: ImportOptions): Promise<void> {
  const report = await withConnection(data, async ({ api }) =>
    read(await api.imports[':id'].undo.$post({ param: { id: String(id) } }))
  )
  const kept = report.kept > 0 ? `; ${report.kept} were changed since and stay` : ''
  print({ ...(options.json && { json: true }) }, report, `${report.undone} moved to the trash${kept}.`)
}

/** Found out before anything is sent: a folder opens too, and fails only when it is read. */
async function sizeOf(file: string): Promise<number> {
  const problem = new Problem('not-found', `The file ${file} cannot be read.`)
  const handle = await open(file, 'r').catch(() => {
    throw problem
  })
  const facts = await handle.stat()
  await handle.close()
  if (!facts.isFile()) throw problem
  return facts.size
}

function importId(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give the number that the import printed.')
  return Number(text)
}
