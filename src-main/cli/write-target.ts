import { realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { Problem } from '../contract/problem.ts'
import { usualFolder } from '../host/data-folder.ts'
import { draftOf } from '../integrations/files.ts'
import { type CommandProcess, Unfinished } from './command.ts'

/**
 * Writes a file that a person named: into a new one beside it, which takes its place once it is complete. Nothing is left
 * where it fails or the person stops it.
 *
 * @param write makes the new file, and gives up when the signal says so
 * @returns what `write` returned
 * @throws Problem `invalid` when the file is a device or a folder, or is in the data folder
 */
export async function writeTarget<T>(
  file: string,
  data: string | undefined,
  host: CommandProcess,
  write: (draft: string, signal: AbortSignal) => Promise<T>
): Promise<T> {
  await assertOthers(file, data)
  const draft = draftOf(file)
  const stop = new AbortController()
  const onInterrupt = () => stop.abort()
  host.once('SIGINT', onInterrupt)
  try {
    const written = await write(draft, stop.signal)
    stop.signal.throwIfAborted()
    await rename(draft, file).catch(() => {
      throw new Problem('not-found', `The file ${file} cannot be written.`)
    })
    return written
  } catch (error) {
    await rm(draft, { force: true })
    if (!stop.signal.aborted) throw error
    host.stderr.write('Stopped. Nothing was written.\n')
    throw new Unfinished()
  } finally {
    host.off('SIGINT', onInterrupt)
  }
}

/** Refuses what is no file, and the data folder, where the library itself would be replaced while it is open. */
async function assertOthers(file: string, data: string | undefined): Promise<void> {
  const facts = await stat(file).catch(() => undefined)
  if (facts && !facts.isFile()) throw new Problem('invalid', `${file} is not a file. Name another one.`)
  const there = async (path: string) => await realpath(path).catch(() => path)
  const target = join(await there(dirname(file)), basename(file))
  const own = await there(data === undefined ? usualFolder() : resolve(data))
  if (!target.startsWith(own + sep)) return
  throw new Problem('invalid', `Earmark keeps its own files in ${own}. Name a file in another folder.`)
}
