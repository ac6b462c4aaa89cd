import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import type { LoggedError } from '../contract/doctor.ts'
import { Problem } from '../contract/problem.ts'

/** The size, in bytes, at which the log is renamed to `earmark.log.old`, which replaces an older file of that name. */
const MAX_LOG_BYTES = 1024 * 1024

/**
 * Writes unexpected errors to `earmark.log` in the data folder: name, code, message and stack, never a key, a cookie or
 * a title. A `Problem` is not logged, because a person sees it. Nothing is thrown if the log cannot be written.
 */
export function logBug(folder: string): (error: unknown) => void {
  const file = join(folder, 'earmark.log')
  const sink = {
    write(line: string) {
      try {
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
        if (size > MAX_LOG_BYTES) renameSync(file, `${file}.old`)
        appendFileSync(file, line, { mode: 0o600 })
      } catch {
        // The disk is full or the folder is gone: the service continues.
      }
    }
  }
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink)
  return (error) => {
    if (!(error instanceof Problem)) log.error({ err: error }, 'unexpected error')
  }
}

const MAX_ERRORS = 5
const MAX_FRAMES = 4

/** Returns the last errors in the log, newest first, without messages and without the folders of files. */
export function lastErrors(folder: string): LoggedError[] {
  let text: string
  try {
    text = readFileSync(join(folder, 'earmark.log'), 'utf8')
  } catch {
    return [] // there is no log yet
  }
  return text.trimEnd().split('\n').slice(-MAX_ERRORS).reverse().flatMap(readError)
}

const LogLine = z.object({
  time: z.string(),
  err: z.object({
    type: z.string().regex(/^\w+$/).catch('Error'),
    code: z.string().regex(/^\w+$/).optional().catch(undefined),
    message: z.string().catch(''),
    stack: z.string().catch('')
  })
})

function readError(line: string): LoggedError[] {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return [] // the line was cut off
  }
  const read = LogLine.safeParse(json)
  if (!read.success) return []
  const { time, err } = read.data
  return [{ at: time, name: [err.type, err.code].filter(Boolean).join(' '), stack: framesOf(err.stack, err.message) }]
}

/** Returns the frames of a stack that V8 wrote: `    at name (/folder/file.js:1:2)`. */
function framesOf(stack: string, message: string): string[] {
  const frames = stack.slice(stack.indexOf(message) + message.length).matchAll(FRAME)
  return [...frames].slice(0, MAX_FRAMES).map(([, name = '', file]) => `${name}${file}`)
}

const FRAME = /^ {4}at ((?:async )?[\w.#<>]+ )?\(?(?:[^\n()]*[\\/])?([\w.-]+:\d+:\d+)\)?$/gm
