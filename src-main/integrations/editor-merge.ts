import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { applyEdits, modify, type ParseError, parse as parseJson, parseTree, printParseErrorCode } from 'jsonc-parser'
import { isMap, isSeq, parseDocument, type Tags, type YAMLSeq } from 'yaml'
import { Problem } from '../contract/problem.ts'
import { putTomlTable } from './toml-text.ts'

/** The name of Earmark's server in every file. */
const NAME = 'earmark'

type Entry = Record<string, unknown>

/** How a host writes its file. */
export interface HostFormat {
  format: 'json' | 'toml' | 'yaml'
  /** The property with the servers, by name; in YAML a list of servers, each with a `name`. */
  servers: string
  /** The first lines of a new file. */
  head?: Entry
}

/** Maximum length of a line of JSON that is formatted after a change. */
const MAX_FORMATTED_LENGTH = 1000

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
  return body.trim() !== '' && BY_FORMAT[host.format].has(body, host.servers)
}

/**
 * Adds, replaces or (with `undefined`) removes Earmark's entry in a host's file. All other parts of the file stay, also
 * comments.
 *
 * @param text empty if there is no file
 * @throws Problem `invalid` if the host could not read the file
 */
export function merge(host: HostFormat, text: string, entry: Entry | undefined): string {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : ''
  const body = text.slice(bom.length)
  const beginning = (body.trim() === '' && entry && BY_FORMAT[host.format].begin(host.head ?? {})) || body
  try {
    return bom + BY_FORMAT[host.format].put(beginning, host.servers, entry)
  } catch (error) {
    if (error instanceof Problem) throw error
    // Deep nesting overflows the stack of recursive parsers.
    const reason = error instanceof RangeError ? 'it is nested too deeply' : firstLine(error)
    throw unreadable(host.format.toUpperCase(), reason)
  }
}

interface Format {
  has(text: string, servers: string): boolean
  begin(head: Entry): string
  put(text: string, servers: string, entry: Entry | undefined): string
}

const json: Format = {
  has: (text, servers) => NAME in objectIn(readJson(text)[servers]),
  begin: (head) => `${JSON.stringify(head, null, 2)}\n`,
  put(text, servers, entry) {
    assertObject('JSON', servers, readJson(text)[servers])
    assertOnce(text, [servers, NAME])
    const indent = /^(?<indent>\t| +)\S/m.exec(text)?.groups?.indent ?? '  '
    const insertSpaces = indent !== '\t'
    const formattingOptions = { insertSpaces, tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
    const plain = modify(text, [servers, NAME], entry, {})
    // Formatting works on whole lines, and reads the whole text for each part of a line.
    const isLong = plain.some(({ offset }) => lineLength(text, offset) > MAX_FORMATTED_LENGTH)
    return applyEdits(text, isLong ? plain : modify(text, [servers, NAME], entry, { formattingOptions }))
  }
}

function lineLength(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return (end < 0 ? text.length : end) - text.lastIndexOf('\n', offset - 1)
}

/** Throws if a property on this path occurs twice, because hosts read the last, and editing would change the first. */
function assertOnce(text: string, path: string[]): void {
  let within = parseTree(text)
  for (const name of path) {
    const [first, second] = (within?.children ?? []).filter(({ children }) => children?.[0]?.value === name)
    if (second) throw unreadable('JSON', `there is a second "${name}" in line ${lineOf(text, second.offset)}`)
    within = first?.children?.[1]
  }
}

function readJson(text: string): Entry {
  const faults: ParseError[] = []
  const value: unknown = parseJson(text, faults, { allowTrailingComma: true })
  const [fault] = faults
  if (fault) throw unreadable('JSON', `${printParseErrorCode(fault.error)} in line ${lineOf(text, fault.offset)}`)
  return value === undefined ? {} : objectAtTop('JSON', value)
}

const toml: Format = {
  has: (text, servers) => NAME in objectIn(readToml(text)[servers]),
  begin: () => '',
  put(text, servers, entry) {
    const value = readToml(text)
    assertObject('TOML', servers, value[servers])
    const next = { ...value, [servers]: { ...objectIn(value[servers]), [NAME]: entry } }
    const edited = putTomlTable(text, [servers, NAME], entry)
    if (hasContent(edited, next)) return edited
    throw new Problem(
      'invalid',
      'The editor’s file is written in a way that Earmark cannot change without losing parts of it. Nothing was changed.'
    )
  }
}

/** Whether a TOML file has this content. Its formatting, empty tables and undefined values do not count. */
function hasContent(text: string, value: Entry): boolean {
  try {
    return isDeepStrictEqual(withoutEmpty(readToml(text)), withoutEmpty(value))
  } catch {
    return false
  }
}

function withoutEmpty(value: Entry): Entry {
  const isTable = (part: unknown) => Object.getPrototypeOf(part ?? '') === Object.prototype
  const parts = Object.entries(structuredClone(value)).map(([key, part]) => {
    const content = isTable(part) ? withoutEmpty(part as Entry) : part
    return isTable(content) && Object.keys(content as Entry).length === 0 ? [key, undefined] : [key, content]
  })
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined))
}

function readToml(text: string): Entry {
  if (text.length > MAX_LENGTH || LONG_TOML_NAME.test(text.replace(TOML_STRING, '""'))) throw tooLarge()
  try {
    return objectAtTop('TOML', parseToml(text))
  } catch (error) {
    throw unreadable('TOML', firstLine(error))
  }
}

const yaml: Format = {
  has: (text, servers) => indexIn(readYaml(text).get(servers)) >= 0,
  begin: (head) =>
    Object.entries(head)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(''),
  put(text, servers, entry) {
    const document = readYaml(text)
    const list = document.get(servers)
    if (list !== undefined && list !== null && !isSeq(list)) throw unreadable('YAML', `${servers} is not a list`)
    const index = indexIn(list)
    if (!entry) {
      if (index >= 0 && isSeq(list)) list.delete(index)
    } else if (index >= 0 && isSeq(list)) list.set(index, document.createNode(entry))
    else if (isSeq(list)) list.add(document.createNode(entry))
    else document.set(servers, document.createNode([entry]))
    const written = document.toString({ lineWidth: 0 })
    return text.includes('\r\n') ? written.replace(/\r?\n/g, '\r\n') : written
  }
}

/** Keeps numbers as they are written. Otherwise long numbers would be rounded, and `0777` would become `777`. */
function keepNumbers(tags: Tags): Tags {
  return tags.map((tag) =>
    typeof tag === 'object' && !tag.collection && /:(int|float)$/.test(tag.tag)
      ? { ...tag, stringify: (item, ...rest) => item.source ?? tag.stringify?.(item, ...rest) ?? String(item.value) }
      : tag
  )
}

function readYaml(text: string) {
  if (text.length > MAX_LENGTH || text.split(/[\n,]/, MAX_YAML_PARTS).length === MAX_YAML_PARTS) throw tooLarge()
  const document = parseDocument(text, { customTags: keepNumbers, prettyErrors: false })
  const [fault] = document.errors
  // With pretty errors the library would copy the line for every error.
  if (fault) throw unreadable('YAML', `${firstLine(fault)} in line ${lineOf(text, fault.pos[0])}`)
  if (document.contents !== null && !isMap(document.contents)) throw unreadable('YAML', 'it is not a mapping')
  return document
}

function indexIn(list: unknown): number {
  if (!isSeq(list)) return -1
  return (list as YAMLSeq).items.findIndex((item) => isMap(item) && item.get('name') === NAME)
}

const BY_FORMAT: Record<HostFormat['format'], Format> = { json, toml, yaml }

function objectIn(value: unknown): Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : {}
}

function objectAtTop(format: string, value: unknown): Entry {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unreadable(format, 'it is not an object')
  return value as Entry
}

/** Throws if the host could not read this part of its file, because overwriting the part could lose data. */
function assertObject(format: string, servers: string, value: unknown): void {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (value !== undefined && !isObject) throw unreadable(format, `${servers} is not an object`)
}

function unreadable(format: string, reason: string): Problem {
  return new Problem('invalid', `The editor’s file is not valid ${format} (${reason}). Nothing was changed.`)
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
