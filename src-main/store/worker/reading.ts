import { openReadConnection } from '../connection.ts'
import { callNamed } from '../library.ts'
import type { Work } from './work.ts'

/** Opens a connection for what may take long: hard searches, a page deep in a large library. */
export function openReading(file: string): Work {
  const db = openReadConnection(file)
  return {
    call(name, args) {
      const read = callNamed(name)
      if (read.runsOn === 'writer') throw new Error(`${name} is a write.`)
      return read.run(db, ...args)
    },
    close: () => db.close()
  }
}
