import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type Finding, KEYS_UNKNOWN } from '../../contract/doctor.ts'
import { DEFAULT_PORT } from '../../contract/endpoint.ts'
import { Problem } from '../../contract/problem.ts'
import { keychainFinding, syncFinding } from '../../core/doctor-findings.ts'
import { isoTime } from '../../core/iso-time.ts'
import { checkFolder, findSyncProgram, prepareDataFolder } from '../../host/data-folder.ts'
import {
  examineLibrary,
  findRecovery,
  keychainFault,
  restoreBackup,
  startEmptyLibrary
} from '../../host/open-library.ts'
import { asTyped } from '../../host/own-program.ts'
import { type CommandProcess, type CommonOptions, commandFor, common, print, Unfinished } from '../command.ts'
import { assertFolder, callApi, findRunning } from '../service-client.ts'
import { writeNamedFile } from './transfer.ts'

export function backupCommand(host: CommandProcess): Command {
  return common(new Command('backup'))
    .description('back up the whole library to the backup folder, and also to a file if you name one')
    .argument('[file]', 'the file to write; an existing file is replaced once the copy is complete')
    .action(async (file: string | undefined, { data, json }: CommonOptions) => {
      const make = () => callApi(data, (api) => api.backups.$post())
      if (file === undefined) return printBackup(await make(), host, json)
      const target = resolve(file)
      let backup: Awaited<ReturnType<typeof make>> | undefined
      await writeNamedFile(target, data, host, async (signal) => {
        backup = await make()
        return createReadStream(backup.path, { signal })
      })
      if (backup) printBackup({ ...backup, path: target }, host, json)
    })
}

function printBackup(
  { path, bytes, at }: { path: string; bytes: number; at: string },
  host: CommandProcess,
  json = false
): void {
  print(host, { json }, { file: path, bytes, at }, `Backed up to ${path}.`)
}

interface RestoreOptions extends CommonOptions {
  newest?: boolean
  empty?: boolean
}

export function restoreCommand(host: CommandProcess): Command {
  return common(new Command('restore'))
    .description('replace the library with a backup; the old library is kept')
    .argument('[file]', 'the backup file, or its name in the backup folder')
    .option('--newest', 'restore the newest intact backup')
    .addOption(
      new Option('--empty', 'start with an empty library, if the current one cannot be opened').conflicts('newest')
    )
    .action(async (file: string | undefined, options: RestoreOptions, command: Command) => {
      if ([file, options.newest, options.empty].filter((way) => way !== undefined).length !== 1) {
        command.error('error: name a backup, or give --newest or --empty', { exitCode: 1 })
      }
      if (file === undefined) assertFolder(options.data)
      const folder = prepareDataFolder(options.data)
      if (options.empty) return restoreEmpty(folder, options, host)
      const backup = file === undefined ? await newestIn(folder) : await findBackup(file, folder)
      await restore(folder, backup, options, host)
    })
}

async function restore(folder: string, backup: string, { json }: RestoreOptions, host: CommandProcess): Promise<void> {
  const { from, bookmarks, kept, keysUnknown } = await restoreBackup(folder, backup)
  const report = { restored: backup, from: isoTime(from), bookmarks, kept, keysUnknown }
  print(host, { json }, report, [
    `Restored ${bookmarks} bookmarks as they were at ${report.from}.`,
    ...(kept === null
      ? []
      : [`The old library is kept in ${kept}. Bookmarks that were saved since the backup are only there.`]),
    ...(keysUnknown ? [KEYS_UNKNOWN] : [])
  ])
}

async function restoreEmpty(folder: string, { json }: RestoreOptions, host: CommandProcess): Promise<void> {
  const kept = await startEmptyLibrary(folder)
  const where = kept === null ? [] : [`The old library is kept in ${kept}.`]
  print(host, { json }, { restored: null, bookmarks: 0, kept }, ['The library is empty now.', ...where])
}

async function newestIn(folder: string): Promise<string> {
  const { backup } = await findRecovery(folder)
  if (!backup) throw new Problem('not-found', 'There is no intact backup.')
  return backup.path
}

/** Finds a backup. A name without a folder is a file in the current folder, otherwise a file in the backup folder. */
async function findBackup(file: string, folder: string): Promise<string> {
  const here = resolve(file)
  if (/[\\/]/.test(file)) return here
  return access(here, constants.R_OK).then(
    () => here,
    () => join(folder, 'backups', file)
  )
}

interface DoctorOptions extends CommonOptions {
  repair?: boolean
}

export function doctorCommand(host: CommandProcess): Command {
  return common(new Command('doctor'))
    .description('check the library and its surroundings for problems; changes nothing without --repair')
    .option('--repair', 'repair what can be repaired without loss; a copy of the library is kept')
    .action((options: DoctorOptions) => doctor(options, host))
}

/** Writes the commands in an advice as a person types them for this library. */
function adviceFor(data: string | undefined, advice: string): string {
  return /earmark [a-z][^.]*$/.test(advice) ? commandFor(data, advice) : asTyped(advice)
}

async function doctor({ data, repair = false, json }: DoctorOptions, host: CommandProcess): Promise<void> {
  assertFolder(data)
  const folder = prepareDataFolder(data)
  const running = await findRunning(folder)
  if (repair && running) throw new Problem('library-in-use', 'Stop Earmark first: a library in use cannot be repaired.')
  const { findings: libraryFindings, port } = await examineLibrary(folder, { repair, shared: running !== undefined })
  const all: Finding[] = [
    checkFolder(folder, repair),
    ...syncFinding(findSyncProgram(folder)),
    ...libraryFindings,
    running
      ? { check: 'port', state: 'ok', text: `Earmark serves at ${running.url}.` }
      : await checkPort(port ?? DEFAULT_PORT),
    keychainFinding(await keychainFault())
  ]
  const findings = all.map((finding) =>
    finding.advice === undefined ? finding : { ...finding, advice: adviceFor(data, finding.advice) }
  )
  const healthy = findings.every(({ state }) => state !== 'problem')
  print(host, { json }, { healthy, findings }, findings.flatMap(linesOf))
  if (!healthy) throw new Unfinished()
}

const MARKS: Record<Finding['state'], string> = { ok: 'ok', repaired: 'fixed', problem: 'PROBLEM', unknown: '?' }

function linesOf({ check, state, text, advice }: Finding): string[] {
  return [`${MARKS[state].padEnd(7)} ${check}: ${text}`, ...(advice === undefined ? [] : [`${' '.repeat(8)}${advice}`])]
}

async function checkPort(port: number): Promise<Finding> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  server.close()
  if (free) return { check: 'port', state: 'ok', text: `Port ${port} is free.` }
  return {
    check: 'port',
    state: 'problem',
    text: `Another program uses port ${port}, so your editors send their keys to it.`,
    advice: 'Stop that program, or choose another port in Settings and in your editors.'
  }
}
