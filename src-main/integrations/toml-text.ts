import { parse as parseToml, stringify as writeToml } from '@decimalturn/toml-patch'

/**
 * Changes one table of a TOML file (https://toml.io/en/v1.0.0) as text, so that no other byte changes. The library that
 * parses TOML can also change files, but drops comments, and takes 6 s for 40,000 blank lines.
 */

/** A heading, or a key with its value. */
interface Statement {
  /** Names from the top of the file. */
  path: string[]
  isHeading: boolean
  /** Offsets of the first character of its line, and of the end of its last line, including the line end. */
  start: number
  end: number
  /** Index of the first character of a key's value; for a heading, the index of its end. */
  value: number
}

const NEWLINE_AND_COMMENTS = /(?:[\s]|#[^\n]*)*/y
const BLANKS = /[ \t]*/y
const NAME = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const DOT = /[ \t]*\.[ \t]*/y
const REST_OF_LINE = /[^\n]*\n?/y
/** A part of a value: a string with any characters, a comment, a bracket, a comma, a line end, or plain text. */
const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"""(?:"{0,2})|'''[\s\S]*?'''(?:'{0,2})|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{},\n]|[^"'#[\]{},\n]+|["']/y

function match(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}

/** Reads a name, or several names with dots between them. */
function readPath(text: string, index: number): { path: string[]; end: number } {
  const path: string[] = []
  let end = index + match(BLANKS, text, index).length
  for (let name = match(NAME, text, end); name !== ''; name = match(NAME, text, end)) {
    path.push(/^["']/.test(name) ? String(parseToml(`name = ${name}`).name) : name)
    end += name.length
    const dot = match(DOT, text, end)
    end += dot.length
    if (dot === '') break
  }
  return { path, end }
}

/** Returns the end of the value that begins here, and the commas directly within its brackets. */
function readValue(text: string, index: number): { end: number; commas: number[] } {
  const commas: number[] = []
  let depth = 0
  for (let end = index; end < text.length; ) {
    const token = match(TOKEN, text, end)
    if (token === '[' || token === '{') depth += 1
    if (token === ',' && depth === 1) commas.push(end)
    if ((token === '\n' || token.startsWith('#')) && depth === 0) return { end, commas }
    end += token.length
    if (token === ']' || token === '}') depth -= 1
    if (depth === 0 && (token === ']' || token === '}')) return { end, commas }
  }
  return { end: text.length, commas }
}

function statementsIn(text: string): Statement[] {
  const statements: Statement[] = []
  let table: string[] = []
  for (let index = 0; ; ) {
    index += match(NEWLINE_AND_COMMENTS, text, index).length
    if (index >= text.length) return statements
    const start = text.lastIndexOf('\n', index) + 1
    const heading = match(/\[\[?/y, text, index)
    const { path, end } = readPath(text, index + heading.length)
    const value = heading ? end : end + match(/\s*=[ \t]*/y, text, end).length
    const over = heading ? end : readValue(text, value).end
    index = over + match(REST_OF_LINE, text, over).length
    // Only reached if the text is no TOML, but the caller has already parsed it.
    if (index === over && index < text.length) return statements
    statements.push({ path: heading ? path : [...table, ...path], isHeading: heading !== '', start, end: index, value })
    if (heading) table = path
  }
}

/** Removes a table, or replaces it. The result may be wrong if the file uses rare syntax. */
export function putTomlTable(text: string, path: [string, string], entry: Record<string, unknown> | undefined): string {
  const without = removeTable(text, path)
  if (!entry) return without
  const [servers, name] = path
  const inline = statementsIn(without).find(({ path, value }) => path.join('\n') === servers && without[value] === '{')
  if (inline) return putInline(without, inline.value, `${name} = ${writeInline(entry)}`)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const end = without === '' || without.endsWith('\n') ? '' : eol
  const table = `[${servers}.${name}]\n${writeToml(entry, { inlineTableStart: 0 })}`.replace(/\r?\n/g, eol)
  return without + end + (without.trim() === '' ? '' : eol) + table
}

function removeTable(text: string, path: [string, string]): string {
  const statements = statementsIn(text)
  const isOurs = (statement: Statement) => path.every((name, index) => statement.path[index] === name)
  const cuts: { start: number; end: number }[] = []
  for (const [index, statement] of statements.entries()) {
    const before = statements[index - 1]
    if (isOurs(statement)) {
      // Comments between two lines of the table, and the empty line before its heading, belong to the table.
      const empty = statement.isHeading ? emptyLineBefore(text, statement.start) : 0
      cuts.push({ start: before && isOurs(before) ? before.end : statement.start - empty, end: statement.end })
    } else if (statement.path.join('\n') === path[0] && text[statement.value] === '{' && !statement.isHeading) {
      cuts.push(...inlineCuts(text, statement.value, path[1]))
    }
  }
  let rest = ''
  let position = 0
  for (const { start, end } of cuts) {
    rest += text.slice(position, start)
    position = end
  }
  return rest + text.slice(position)
}

function emptyLineBefore(text: string, index: number): number {
  return /(?:^|\n)(\r?\n)$/.exec(text.slice(Math.max(0, index - 4), index))?.[1]?.length ?? 0
}

/** Returns the parts of an inline table, `{ a = 1, b = 2 }`, that have this name, each with one comma. */
function inlineCuts(text: string, open: number, name: string): { start: number; end: number }[] {
  const { end, commas } = readValue(text, open)
  const borders = [open, ...commas, end - 1]
  return borders.slice(0, -1).flatMap((border, index) => {
    const next = borders[index + 1] ?? end
    if (readPath(text, border + 1).path[0] !== name) return []
    // The first part is removed together with the comma after it, if there is one.
    if (index === 0) return [{ start: open + 1, end: next + (commas.length > 0 ? 1 : 0) }]
    return [{ start: border, end: border + text.slice(border, next).trimEnd().length }]
  })
}

function putInline(text: string, open: number, part: string): string {
  const close = readValue(text, open).end - 1
  const inner = text.slice(open + 1, close)
  const content = inner.trimEnd()
  const comma = content === '' || content.endsWith(',') ? '' : ','
  return `${text.slice(0, open + 1)}${content}${comma} ${part}${inner.slice(content.length) || ' '}${text.slice(close)}`
}

/** JSON's strings, numbers and lists are valid TOML, except for one character. */
function writeInline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll('\x7f', '\\u007f')
  if (Array.isArray(value)) return `[${value.map(writeInline).join(', ')}]`
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)} = ${writeInline(part)}`)
    .join(', ')} }`
}
