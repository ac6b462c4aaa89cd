import { openReadConnection } from '../../database/connection.ts'
import { callNamed } from '../library.ts'
import { openWriting } from './writing.ts'

/** The purpose of a thread: the only writing connection, a reading one, or work on whole files. */
export type Role = 'writing' | 'reading' | 'jobs'

/** The work of a thread that has opened its connection. */
export interface Work {
  /** @param args those of the function that the name stands for */
  call(name: string, args: never[]): unknown
  /** Runs after each call. */
  afterwards?(): void
  close(): void
}

/** @throws Problem when the library cannot be opened */
export async function openWork(role: Role, file: string): Promise<Work> {
  switch (role) {
    case 'writing':
      return openWriting(file)
    case 'reading':
      return openReading(file)
    case 'jobs':
      return (await import('./jobs.ts')).openJobs()
  }
}

/** Opens a connection for what may take long: hard searches, a page deep in a large library. */
function openReading(file: string): Work {
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
