import { forgetOld } from '../bookmarks/purge-trash.ts'
import { keepBackups } from '../library/backups.ts'
import { prunePictures } from '../pages/pictures.ts'
import type { Ports } from '../ports.ts'

import type { Background } from './background-worker.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Forgets what is old and prunes pictures, at its start and then every hour, and makes the backups that are due, the
 * first a minute later, so that no short command waits for one. What fails, for want of space, is tried again an hour
 * later.
 */
export function createHousekeeping(ports: Ports, onError: (error: unknown) => void): Background {
  let underWay = Promise.resolve()
  let first: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined

  async function clean(): Promise<void> {
    await forgetOld(ports)
      .then(() => prunePictures(ports))
      .catch(onError)
  }

  async function backUp(): Promise<void> {
    await keepBackups(ports).catch(onError)
  }

  return {
    start() {
      underWay = clean()
      first = setTimeout(() => {
        underWay = underWay.then(backUp)
      }, MINUTE_MS).unref()
      timer = setInterval(() => {
        underWay = underWay.then(clean).then(backUp)
      }, HOUR_MS).unref()
    },
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      await underWay
    }
  }
}
