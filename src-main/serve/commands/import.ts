import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Command } from 'commander'
import type { ImportReport } from '../../contract/import-report.ts'
import { Problem } from '../../contract/problem.ts'
import { type CommonOptions, common, print } from '../command.ts'
import { read, withConnection } from '../connect.ts'

/** Rejected records a person is shown; `--json` has more. */
const SHOWN_REJECTS = 10

/** `earmark import FILE` */
export function importCommand(): Command {
  return common(new Command('import'))
    .description('import a bookmark file that a browser exported (Netscape HTML)')
    .argument('<file>', 'the file')
    .action((file: string, options: CommonOptions) => importFile(file, options))
}

async function importFile(file: string, { data, ...options }: CommonOptions): Promise<void> {
  await assertReadable(file)
  const report = await withConnection(data, async ({ send }) => {
    const body = Readable.toWeb(createReadStream(file)) as ReadableStream
    // Node wants to be told that it may send before it has read the answer.
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    return read((await send('/imports', init)) as { ok: boolean; status: number; json(): Promise<ImportReport> })
  })
  const { imported, duplicate, rejected, rejects, unlisted } = report
  const more = rejected - SHOWN_REJECTS
  print(options, report, [
    `${imported} imported, ${duplicate} already there, ${rejected} rejected`,
    ...rejects.slice(0, SHOWN_REJECTS).map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(more > 0 ? [`  and ${more} more; --json lists ${unlisted ? `the first ${rejects.length}` : 'them all'}`] : [])
  ])
}

/** Found out before anything is sent: a folder opens too, and fails only when it is read. */
async function assertReadable(file: string): Promise<void> {
  const problem = new Problem('not-found', `The file ${file} cannot be read.`)
  const handle = await open(file, 'r').catch(() => {
    throw problem
  })
  const isFile = await handle.stat().then((stat) => stat.isFile())
  await handle.close()
  if (!isFile) throw problem
}
