import { cleanText } from '../../core/clean-text.ts'

/** Names of columns or fields that are listed, and the length of each, in UTF-16 code units. */
const MAX_NAMES = 12
const MAX_NAME_LENGTH = 40

/** How much of a file is looked at, in UTF-16 code units. */
const SAMPLE = 4096

/** Beginnings of files that people take for bookmark files. */
const BINARY = {
  'SQLite format 3':
    'a SQLite database. Watch Firefox’s places.sqlite in Settings, or import it with the earmark command',
  '%PDF-': 'a PDF',
  GIF8: 'a picture'
}

/** Says in a sentence what a file of no known format looks like, from its first characters. */
export function describeFile(head: string): string {
  const text = head.trimStart().slice(0, SAMPLE)
  if (text === '') return 'It is empty.'
  return `It looks like ${binary(text) ?? json(text) ?? markup(text) ?? table(text) ?? prose(text)}.`
}

function binary(text: string): string | undefined {
  const known = Object.entries(BINARY).find(([beginning]) => text.startsWith(beginning))
  return known?.[1] ?? (text.includes('\0') ? 'a binary file' : undefined)
}

function json(text: string): string | undefined {
  if (!/^[[{]\s*["{[\]}]/.test(text)) return undefined
  const names = new Set(Array.from(text.matchAll(/"([^"\\]+)"\s*:/g), ([, name = '']) => name))
  const kind = text.startsWith('[') ? 'a JSON list' : 'a JSON file'
  return names.size === 0 ? kind : `${kind} with the fields ${listed([...names])}`
}

function markup(text: string): string | undefined {
  if (!/^<[!?a-z]/i.test(text)) return undefined
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim()
  if (/<!doctype html|<html[\s>]|<body[\s>]/i.test(text)) {
    return title
      ? `a web page, “${cleanText(title, MAX_NAME_LENGTH)}”, without a list of bookmarks`
      : 'a web page without a list of bookmarks'
  }
  const root = /<([a-z][\w:-]*)/i.exec(text.replace(/<[?!][^>]*>/g, ''))?.[1]
  return root ? `an XML file of <${cleanText(root, MAX_NAME_LENGTH)}>` : 'an XML file'
}

function table(text: string): string | undefined {
  const [line = '', next] = text.replace(/^sep=.[\r\n]+/i, '').split(/[\r\n]+/, 2)
  const sign = [',', ';', '\t', '|'].find(
    (one) => line.includes(one) && line.split(one).length === (next || line).split(one).length
  )
  if (sign === undefined) return undefined
  const columns = line.split(sign).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''))
  if (columns.some((column) => /passw|^t?otp|^login|^user ?name$/i.test(column))) {
    return 'a list of passwords, which Earmark does not import'
  }
  if (columns.some((column) => /:\/\//.test(column))) {
    return `a CSV file without names of columns, or a list of addresses with commas; add ${HELP}`
  }
  const isNamed = columns.some((column) => /^(url|link|address|href|uri)$/i.test(column.trim()))
  if (isNamed) return `a CSV file with the columns ${listed(columns)}, but most of its rows have no address`
  return `a CSV file with the columns ${listed(columns)}; one of them has to be “url”`
}

const HELP = 'a first line such as url,title, or import a list with earmark import --format urls'

function prose(text: string): string {
  return `a text that begins with “${cleanText(text.slice(0, 200), MAX_NAME_LENGTH)}”`
}

function listed(names: string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => cleanText(name, MAX_NAME_LENGTH))
  return `${shown.join(', ')}${names.length > MAX_NAMES ? ' …' : ''}`
}
