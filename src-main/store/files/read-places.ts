import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StartProcess } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'

/** Maximum time to read a database, in ms. A profile of 100,000 bookmarks takes a second. */
const TIMEOUT_MS = 30_000

/** A request to the process that reads a Firefox database. */
export interface PlacesRequest {
  file: string
  /** The folder for a copy of the file. */
  folder: string
}

/** The answer: the bookmarks in the format of Firefox's backups, an error of the database, or a bug. */
export type PlacesReply = { text: string } | { problem: string } | { fault: string }

/**
 * Returns the bookmarks of a Firefox profile's `places.sqlite` as a backup that can be imported. A separate process reads
 * the file, and is killed after 30 seconds.
 *
 * @throws Problem `invalid` if the file is another database or cannot be read
 */
export async function readPlaces(file: string, start: StartProcess, timeout = TIMEOUT_MS): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earmark-places-'))
  const child = start<PlacesRequest, PlacesReply>('places-child')
  const { promise, resolve } = Promise.withResolvers<PlacesReply | undefined | 'late'>()
  const timer = setTimeout(() => resolve('late'), timeout)
  try {
    child.onReply(resolve)
    child.send({ file, folder })
    const reply = await promise
    if (reply === 'late') throw refusal('Reading it takes too long.')
    if (reply === undefined) throw refusal('It is damaged, or holds too much.')
    if ('problem' in reply) throw new Problem('invalid', reply.problem)
    if ('fault' in reply) throw new Error(reply.fault)
    return reply.text
  } finally {
    clearTimeout(timer)
    child.kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function refusal(why: string): Problem {
  return new Problem('invalid', `This database cannot be imported. ${why}`)
}
