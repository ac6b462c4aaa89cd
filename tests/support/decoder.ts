import { onTestFinished } from 'vitest'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { createDecoder, type Decoder } from '../../src-main/web/decoder.ts'
import { tempFolder } from './temp-folder.ts'

/** The real decoder with its process, closed after the test. */
export function testDecoder(
  { folder, patience }: { folder?: string; patience?: number } = {},
  afterwards: (close: () => void | Promise<void>) => void = onTestFinished
): Decoder {
  const decoder = createDecoder(startNodeProcess, folder ?? tempFolder(afterwards), patience)
  afterwards(decoder.close)
  return decoder
}
