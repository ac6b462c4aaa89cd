import { copyFile, open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { Problem } from '../../contract/problem.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { restoreBackup } from '../../service.ts'
import { type CommonOptions, common, print } from '../command.ts'
import { read, withConnection } from '../connect.ts'

/** `earmark backup [FILE]` */
export function backupCommand(): Command {
  return common(new Command('backup'))
    .description('copy the whole library to the folder of backups, and to a file where one is named')
    .argument('[file]', 'the file; one that is there is replaced once the copy is complete')
    .action(async (file: string | undefined, { data, ...options }: CommonOptions) => {
      const made = await withConnection(data, async ({ api }) => read(await api.backups.$post()))
      const target = file === undefined ? made.path : resolve(file)
      if (file !== undefined) await copyTo(made.path, target)
      print(options, { file: target, bytes: made.bytes, at: made.at }, `Backed up to ${target}.`)
    })
}

/** `earmark restore FILE` */
export function restoreCommand(): Command {
  return common(new Command('restore'))
    .description('put a backup in the place of the library; what was there is kept')
    .argument('<file>', 'the backup, or its name in the folder of backups')
    .action(async (file: string, { data, ...options }: CommonOptions) => {
      const folder = prepareDataFolder(data)
      const backup = /[\\/]/.test(file) ? resolve(file) : await firstOf(resolve(file), join(folder, 'backups', file))
      const { from, bookmarks, kept } = await restoreBackup(folder, backup)
      const report = { restored: backup, from: new Date(from).toISOString(), bookmarks, kept }
      print(options, report, [
        `Restored ${bookmarks} bookmarks as they were at ${report.from}.`,
        ...(kept === null ? [] : [`What was there is kept in ${kept}; all that was saved since then is only there.`])
      ])
    })
}

async function firstOf(here: string, among: string): Promise<string> {
  const handle = await open(here, 'r').catch(() => undefined)
  await handle?.close()
  return handle ? here : among
}

async function copyTo(from: string, to: string): Promise<void> {
  const draft = `${to}.tmp`
  try {
    await copyFile(from, draft)
    const handle = await open(draft, 'r+')
    await handle.sync()
    await handle.close()
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new Problem('disk-full', 'The disk is full.')
    throw new Problem('not-found', `The file ${to} cannot be written. The backup itself is in the folder of backups.`)
  }
}
