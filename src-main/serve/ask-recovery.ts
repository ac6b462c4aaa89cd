import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { KEYS_UNKNOWN } from '../contract/backup.ts'
import { type LibraryLost, lossOf } from '../host/library-lost.ts'

interface Terminal {
  input: Readable
  output: Writable
}

/**
 * Says that the library is lost, and asks what is to take its place.
 *
 * @returns whether something did
 */
export async function askRecovery(lost: LibraryLost, data: string, { input, output }: Terminal): Promise<boolean> {
  const { restoreBackup, startEmptyLibrary } = await import('../service.ts')
  const { backup } = lost.recovery
  const lines = createInterface({ input, output })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    output.write(question)
    const { value } = await answers.next()
    return String(value ?? '')
      .trim()
      .toLowerCase()
  }
  try {
    output.write(`${lost.message}\n${lossOf(lost.recovery)}\n`)
    const ways = [...(backup ? ['[r] restore it'] : []), '[e] start with an empty library', '[q] quit']
    const answer = await ask(`${ways.join(', ')}: `)
    if (answer === 'r' && backup) {
      const { bookmarks, kept, keysUnknown } = await restoreBackup(data, backup.path)
      output.write(`Restored ${bookmarks} bookmarks.${kept === null ? '' : ` The old library is kept in ${kept}.`}\n`)
      if (keysUnknown) output.write(`${KEYS_UNKNOWN}\n`)
      return true
    }
    if (answer !== 'e' || (await ask('Type "empty" to start with no bookmarks at all: ')) !== 'empty') return false
    const kept = await startEmptyLibrary(data)
    if (kept !== null) output.write(`The old library is kept in ${kept}.\n`)
    return true
  } finally {
    lines.close()
  }
}
