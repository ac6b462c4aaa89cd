import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { type ParseError, parse as parseJson, parseTree, printParseErrorCode } from 'jsonc-parser'
import { isMap, parseDocument } from 'yaml'
import { Problem } from '../contract/problem.ts'
import { putJsonValue } from './json-text.ts'
import { putTomlTable } from './toml-text.ts'
import { putYamlEntry } from './yaml-text.ts'

/** The name of Earmark's server in every file. */
const NAME = 'earmark'

type Entry = Record<string, unknown>

/** How a host writes its file. */
export interface HostFormat {
  format: 'json' | 'toml' | 'yaml'
  /** The property with the servers, by name. */
  servers: string
  /** The property within `servers` that contains the servers, if the file has this property. */
  nested?: string
  /** The servers are a list, each with a `name`. */
  isList?: boolean
  /** The first lines of a new file. */
  head?: Entry
}

/**
 * Limits within which TOML and YAML are parsed in about a second: the number of characters, of parts of a TOML name,
 * and of lines and items of YAML. 8 MB of JSON take as long.
 */
const MAX_LENGTH = 250_000
const MAX_YAML_PARTS = 5000
const LONG_TOML_NAME = /(?<![\w"' \t.-])[ \t]*(?:[\w"'-]+[ \t]*\.[ \t]*){10}/
const TOML_STRING = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?/g

/** Whether a host's file names Earmark. */
export function namesEarmark(host: HostFormat, text: string): boolean {
  const body = text.replace(/^\ufeff/, '')
  return body.trim() !== '' && hasEntry(serversIn(host, FORMATS[host.format].read(body)).servers)
}

/**
 * Adds, replaces or (with `undefined`) removes Earmark's entry in a host's file. Every other character of the file stays.
 *
 * @param text empty if there is no file
 * @throws Problem `invalid` if the host could not read the file
 */
export function merge(host: HostFormat, text: string, entry: Entry | undefined): string {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : ''
  const body = text.slice(bom.length)
  const { read, begin, put } = FORMATS[host.format]
  const beginning = (body.trim() === '' && entry && begin(host.head ?? {})) || body
  try {
    const value = read(beginning)
    const { path, servers } = serversIn(host, value)
    assertServers(host, path, servers)
    if (!entry && !hasEntry(servers)) return text
    const next = withEntry(host, servers, entry && (JSON.parse(JSON.stringify(entry)) as Entry))
    const edited = put(beginning, path, entry, host.isList ? indexIn(servers) : undefined)
    if (hasContent(read, edited, withValue(value, path, next))) return bom + edited
  } catch (error) {
    if (error instanceof Problem) throw error
    // Deep nesting overflows the stack of recursive parsers.
    const reason = error instanceof RangeError ? 'it is nested too deeply' : firstLine(error)
    throw unreadable(host.format, reason)
  }
  throw new Problem(
    'invalid',
    'The editor’s file is written in a way that Earmark cannot change without losing parts of it. Nothing was changed.'
  )
}

/** Returns the servers of a host's file, and the path of properties to them. */
function serversIn({ servers, nested }: HostFormat, value: Entry): { path: string[]; servers: unknown } {
  const inner = nested === undefined ? undefined : objectIn(value[servers])[nested]
  // A server can have the same name.
  const isNested = nested !== undefined && isObject(inner) && !('type' in inner)
  return isNested ? { path: [servers, nested], servers: inner } : { path: [servers], servers: value[servers] }
}

function hasEntry(servers: unknown): boolean {
  return Array.isArray(servers) ? indexIn(servers) >= 0 : NAME in objectIn(servers)
}

function indexIn(servers: unknown): number {
  return Array.isArray(servers) ? servers.findIndex((server) => objectIn(server).name === NAME) : -1
}

function withEntry({ isList }: HostFormat, servers: unknown, entry: Entry | undefined): unknown {
  if (!isList) return { ...objectIn(servers), [NAME]: entry }
  const list: unknown[] = Array.isArray(servers) ? servers : []
  const index = indexIn(list)
  if (!entry) return list.toSpliced(index, 1)
  return index < 0 ? [...list, entry] : list.with(index, entry)
}

function withValue(value: Entry, [name = '', ...inner]: string[], part: unknown): Entry {
  return { ...value, [name]: inner.length === 0 ? part : withValue(objectIn(value[name]), inner, part) }
}

/** Whether a text has this content. Its formatting, empty objects and undefined values do not count. */
function hasContent(read: Format['read'], text: string, value: Entry): boolean {
  try {
    return isDeepStrictEqual(withoutEmpty(read(text)), withoutEmpty(value))
  } catch {
    return false
  }
}

function withoutEmpty(value: Entry): Entry {
  const parts = Object.entries(value).map(([key, part]) => {
    const content = isObject(part) ? withoutEmpty(part) : part
    return isObject(content) && Object.keys(content).length === 0 ? [key, undefined] : [key, content]
  })
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined))
}

interface Format {
  read(text: string): Entry
  begin(head: Entry): string
  /** @param index the entry's index in a list of servers */
  put(text: string, path: string[], entry: Entry | undefined, index: number | undefined): string
}

const json: Format = {
  read(text) {
    const faults: ParseError[] = []
    const value: unknown = parseJson(text, faults, { allowTrailingComma: true })
    const [fault] = faults
    if (fault) throw unreadable('json', `${printParseErrorCode(fault.error)} in line ${lineOf(text, fault.offset)}`)
    return value === undefined ? {} : objectAtTop('json', value)
  },
  begin: (head) => `${JSON.stringify(head, null, 2)}\n`,
  put(text, path, entry) {
    assertOnce(text, [...path, NAME])
    return putJsonValue(text, [...path, NAME], entry)
  }
}

/** Throws if a property on this path occurs twice, because hosts read the last, and editing would change the first. */
function assertOnce(text: string, path: string[]): void {
  let within = parseTree(text)
  for (const name of path) {
    const [first, second] = (within?.children ?? []).filter(({ children }) => children?.[0]?.value === name)
    if (second) throw unreadable('json', `there is a second "${name}" in line ${lineOf(text, second.offset)}`)
    within = first?.children?.[1]
  }
}

const toml: Format = {
  read(text) {
    if (text.length > MAX_LENGTH || LONG_TOML_NAME.test(text.replace(TOML_STRING, '""'))) throw tooLarge()
    try {
      // The library returns its own class of dates, which `structuredClone` turns into plain dates.
      return objectAtTop('toml', structuredClone(parseToml(text)))
    } catch (error) {
      throw unreadable('toml', firstLine(error))
    }
  },
  begin: () => '',
  put: (text, [servers = ''], entry) => putTomlTable(text, [servers, NAME], entry)
}

const yaml: Format = {
  read(text) {
    if (text.length > MAX_LENGTH || text.split(/[\n,]/, MAX_YAML_PARTS).length === MAX_YAML_PARTS) throw tooLarge()
    const document = parseDocument(text, { prettyErrors: false })
    const [fault] = document.errors
    // With pretty errors the library would copy the line for every error.
    if (fault) throw unreadable('yaml', `${firstLine(fault)} in line ${lineOf(text, fault.pos[0])}`)
    if (document.contents !== null && !isMap(document.contents)) throw unreadable('yaml', 'it is not a mapping')
    return objectIn(document.toJS())
  },
  begin: (head) =>
    Object.entries(head)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(''),
  put(text, [key = ''], entry, index) {
    const servers = index === undefined ? { [NAME]: entry } : [entry]
    return putYamlEntry(text, [key, index ?? NAME], entry && servers)
  }
}

const FORMATS: Record<HostFormat['format'], Format> = { json, toml, yaml }

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function objectIn(value: unknown): Entry {
  return isObject(value) ? value : {}
}

function objectAtTop(format: HostFormat['format'], value: unknown): Entry {
  if (!isObject(value)) throw unreadable(format, 'it is not an object')
  return value
}

/** Throws if the host could not read this part of its file, because overwriting the part could lose data. */
function assertServers({ format, isList }: HostFormat, path: string[], servers: unknown): void {
  if (servers === undefined || (format === 'yaml' && servers === null)) return
  if (isList ? Array.isArray(servers) : isObject(servers)) return
  throw unreadable(format, `${path.join('.')} is not ${isList ? 'a list' : 'an object'}`)
}

function unreadable(format: HostFormat['format'], reason: string): Problem {
  return new Problem(
    'invalid',
    `The editor’s file is not valid ${format.toUpperCase()} (${reason}). Nothing was changed.`
  )
}

function tooLarge(): Problem {
  return new Problem(
    'too-large',
    'The editor’s file is too large, or has names of too many parts, for Earmark to change it. Nothing was changed. ' +
      'Change it yourself: in the app, “Connect an editor” shows what to add under “Configure it yourself”.'
  )
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? ''
}
