import { parseArgs } from 'node:util'
import { LIMITS } from '../contract/bookmark.ts'
import type { CaptureFields, LaunchRequest } from '../contract/desktop.ts'
import { Problem } from '../contract/problem.ts'
import { parseAddress } from '../core/address.ts'
import { cleanLines, cleanTag, cleanText } from '../core/clean-text.ts'

/** The task of this process: to run a command, or to be the app. */
export type Launch = { kind: 'command'; args: string[] } | AppLaunch

export interface AppLaunch {
  kind: 'app'
  data?: string
  /** The port to listen on; 0 for any free port. */
  port?: number
  /** Whether pages may be fetched, if the settings allow it. */
  fetches: boolean
  request: LaunchRequest
}

/**
 * Reads the arguments, without the executable. Unknown arguments are Chromium's.
 *
 * @throws Problem `invalid`
 */
export function readLaunch(args: string[]): Launch {
  const index = args.findIndex((arg) => !isSwitch(arg))
  const first = args[index] ?? ''
  if (/^(?!earmark:)[a-z]/.test(first) || /^(--help|-h|--version|-V)$/.test(first)) {
    return { kind: 'command', args: args.slice(index) }
  }
  const { values, positionals } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      capture: { type: 'boolean' },
      find: { type: 'boolean' },
      hidden: { type: 'boolean' },
      'no-fetch': { type: 'boolean' }
    }
  })
  const link = positionals.find((arg) => arg.startsWith('earmark:'))
  return {
    kind: 'app',
    data: values.data === undefined ? undefined : named('--data', values.data),
    port: values.port === undefined ? undefined : portIn(named('--port', values.port)),
    fetches: values['no-fetch'] !== true,
    request: launchRequest(link, values)
  }
}

/** Chromium's switch for the window system, followed by its value. */
export const OZONE = '--ozone-platform='

/** Whether an argument is for Chromium. An AppImage adds `--no-sandbox` first; `--` ends Chromium's arguments. */
function isSwitch(arg: string): boolean {
  return (
    arg === '--' ||
    (/^--?[a-z]/.test(arg) && !/^(--(help|version|data|port|capture|find|hidden|no-fetch)(=|$)|-h$|-V$)/.test(arg))
  )
}

function launchRequest(link: string | undefined, options: { [option: string]: unknown }): LaunchRequest {
  if (link) return captureRequest(link) ?? { kind: 'show' }
  if (options.capture === true) return { kind: 'capture' }
  if (options.find === true) return { kind: 'find' }
  return { kind: options.hidden === true ? 'stay-hidden' : 'show' }
}

function named(option: string, value: string | boolean): string {
  if (typeof value === 'string' && value !== '') return value
  throw new Problem('invalid', `${option} needs a value.`)
}

function portIn(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new Problem('invalid', '--port takes a number from 0 to 65535.')
  return port
}

/**
 * Returns the request of an `earmark://capture?url=&title=&text=&tags=` link, with tags separated by commas; `undefined`
 * for other links. Any page may contain such a link, so it only fills in fields.
 */
export function captureRequest(link: string): LaunchRequest | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, host, pathname, searchParams } = new URL(link)
  // In `earmark:capture`, the name is the path instead of the host.
  if (protocol !== 'earmark:' || (host || pathname) !== 'capture') return undefined
  const fields = fieldsIn(searchParams)
  return { kind: 'capture', fields: Object.values(fields).some((field) => field !== undefined) ? fields : undefined }
}

function fieldsIn(params: URLSearchParams): CaptureFields {
  const address = parseAddress(params.get('url') ?? '')
  const tags = (params.get('tags') ?? '').split(',').map((tag) => cleanTag(tag, LIMITS.tag).replaceAll('"', ''))
  const filled = tags.filter((tag) => tag !== '').slice(0, LIMITS.tags)
  return {
    url: 'url' in address ? address.url : undefined,
    title: cleanText(params.get('title') ?? '', LIMITS.title) || undefined,
    text: cleanLines(params.get('text') ?? '', LIMITS.content) || undefined,
    tags: filled.length > 0 ? filled : undefined
  }
}
