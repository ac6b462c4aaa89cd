/**
 * Reads a bookmark file in a separate process. Parsers keep the whole file in memory, and a damaged or hostile file may
 * take unlimited time and memory. Only ending the process stops a parser.
 */
import { constants, setPriority } from 'node:os'
import type { ReadBatch, ReadOptions } from '../contract/import-format.ts'
import { Problem } from '../contract/problem.ts'
import { limitProcess } from '../integrations/limit-process.ts'
import type { ImportReply, ImportRequest } from './import-process.ts'
import { readWholeFile } from './read-file.ts'

/** Maximum memory of the process, in bytes. 200 MB of JSON take up to 1,500 MB. */
const MAX_RSS = 2000 * 2 ** 20

// Reading 200 MB of JSON takes up to 20 s of processor time. The limits apply to each batch.
const limited = limitProcess({ maxCpuMs: 120_000, maxMs: 360_000, maxRss: MAX_RSS })

const pieces: Uint8Array[] = []
let batches: Iterator<ReadBatch> | undefined

// Electron's utility process has a port instead of Node's IPC.
const port = process.parentPort
if (port) port.on('message', ({ data }) => answer(data as ImportRequest))
else process.on('message', (request: ImportRequest) => answer(request)).on('disconnect', () => process.exit())

async function answer(request: ImportRequest): Promise<void> {
  const reply = await limited(() => replyTo(request)).catch((error: unknown): ImportReply => {
    if (error instanceof Problem) return { problem: error.message }
    // A string has at most 2^29 characters.
    return error instanceof RangeError ? { problem: TOO_LARGE } : { bug: String(error) }
  })
  if (port) port.postMessage(reply)
  else process.send?.(reply)
}

function replyTo(request: ImportRequest): ImportReply {
  if ('piece' in request) {
    pieces.push(request.piece)
    return { taken: true }
  }
  if ('options' in request) batches = readPieces(request.options)
  const next = batches?.next()
  return next && !next.done ? { batch: next.value } : { end: true }
}

function readPieces(options: ReadOptions): Iterator<ReadBatch> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL) // searches and saves have priority
  const bytes = Buffer.concat(pieces)
  pieces.length = 0
  return readWholeFile(bytes, options)
}

const TOO_LARGE = 'This file cannot be imported. It holds more text than Earmark reads.'
