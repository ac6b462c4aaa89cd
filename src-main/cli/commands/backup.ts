import { constants } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { KEYS_UNKNOWN } from '../../contract/doctor.ts'
import { Problem } from '../../contract/problem.ts'
import { isoTime } from '../../core/iso-time.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { type CommandProcess, type CommonOptions, common, print } from '../command.ts'
import { assertThere, read, withConnection } from '../connect.ts'
import { writeTarget } from '../write-target.ts'

/** `earmark backup [FILE]` */
export function backupCommand(host: CommandProcess): Command {
  return common(new Command('backup'))
    .description('back up the whole library to the backup folder, and also to a file if you name one')
    .argument('[file]', 'the file to write; an existing file is replaced once the copy is complete')
    .action(async (file: string | undefined, { data, ...options }: CommonOptions) => {
      const make = () => withConnection(data, async ({ api }) => read(await api.backups.$post()))
      const named = file === undefined ? undefined : resolve(file)
      const made =
        named === undefined
          ? await make()
          : await writeTarget(named, data, host, async (draft) => copyTo(await make(), named, draft))
      const target = named ?? made.path
      print(host, options, { file: target, bytes: made.bytes, at: made.at }, `Backed up to ${target}.`)
    })
}

interface RestoreOptions extends CommonOptions {
  newest?: boolean
  empty?: boolean
}

/** `earmark restore FILE` */
export function restoreCommand(host: CommandProcess): Command {
  return common(new Command('restore'))
    .description('replace the library with a backup; the old library is kept')
    .argument('[file]', 'the backup file, or its name in the backup folder')
    .option('--newest', 'restore the newest intact backup')
    .addOption(
      new Option('--empty', 'start with an empty library, if the current one cannot be opened').conflicts('newest')
    )
    .action(async (file: string | undefined, options: RestoreOptions, command: Command) => {
      if ([file, options.newest, options.empty].filter((one) => one !== undefined).length !== 1) {
        command.error('error: name a backup, or give --newest or --empty', { exitCode: 1 })
      }
      if (file === undefined) assertThere(options.data)
      const folder = prepareDataFolder(options.data)
      if (options.empty) return restoreEmpty(folder, options, host)
      const backup = file === undefined ? await newestIn(folder) : await find(file, folder)
      await restore(folder, backup, options, host)
    })
}

async function restore(folder: string, backup: string, { json }: RestoreOptions, host: CommandProcess): Promise<void> {
  const { restoreBackup } = await import('../../service.ts')
  const { from, bookmarks, kept, keysUnknown } = await restoreBackup(folder, backup)
  const report = { restored: backup, from: isoTime(from), bookmarks, kept, keysUnknown }
  print(host, { json }, report, [
    `Restored ${bookmarks} bookmarks as they were at ${report.from}.`,
    ...(kept === null ? [] : [`The old library is kept in ${kept}. What was saved since the backup is only there.`]),
    ...(keysUnknown ? [KEYS_UNKNOWN] : [])
  ])
}

async function restoreEmpty(folder: string, { json }: RestoreOptions, host: CommandProcess): Promise<void> {
  const { startEmptyLibrary } = await import('../../service.ts')
  const kept = await startEmptyLibrary(folder)
  const where = kept === null ? [] : [`The old library is kept in ${kept}.`]
  print(host, { json }, { restored: null, bookmarks: 0, kept }, ['The library is empty now.', ...where])
}

async function newestIn(folder: string): Promise<string> {
  const { recoveryIn } = await import('../../service.ts')
  const { backup } = await recoveryIn(folder)
  if (!backup) throw new Problem('not-found', 'There is no intact backup.')
  return backup.path
}

async function find(file: string, folder: string): Promise<string> {
  return /[\\/]/.test(file) ? resolve(file) : firstOf(resolve(file), join(folder, 'backups', file))
}

async function firstOf(here: string, among: string): Promise<string> {
  const handle = await open(here, 'r').catch(() => undefined)
  await handle?.close()
  return handle ? here : among
}

/** Copies a backup, and returns it. */
async function copyTo<Made extends { path: string }>(made: Made, to: string, draft: string): Promise<Made> {
  try {
    await copyFile(made.path, draft, constants.COPYFILE_EXCL)
    const handle = await open(draft, 'r+')
    await handle.sync()
    await handle.close()
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new Problem('disk-full', 'The disk is full.')
    throw new Problem('not-found', `Earmark cannot write the file ${to}. The backup itself is in the backup folder.`)
  }
}
