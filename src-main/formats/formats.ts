import type { ImportFormat } from '../contract/import-format.ts'
import { Problem } from '../contract/problem.ts'
import { cleanText } from '../core/clean-text.ts'
import { chromeJson, firefoxJson } from './browser-json.ts'
import { earmarkCsv, instapaperCsv, otherCsv, pocketCsv, raindropCsv } from './csv-formats.ts'
import { earmarkJsonl } from './earmark-jsonl.ts'
import { readLaterHtml } from './html.ts'
import { markdownFiles } from './markdown-files.ts'
import { netscapeHtml } from './netscape-html.ts'
import {
  karakeepJson,
  linkwardenJson,
  omnivoreJson,
  pinboardJson,
  pinboardXml,
  pocketHighlights,
  readwiseJson,
  wallabagJson
} from './services.ts'
import { oneTab, unnamedTable, urlList } from './url-lists.ts'

/** The formats, in the order in which they are tried. HTML is after JSON, because texts in JSON may contain HTML. */
export const formats: ImportFormat[] = [
  earmarkJsonl,
  chromeJson,
  firefoxJson,
  karakeepJson,
  linkwardenJson,
  wallabagJson,
  omnivoreJson,
  pocketHighlights,
  readwiseJson,
  pinboardJson,
  pinboardXml,
  markdownFiles,
  readLaterHtml,
  netscapeHtml,
  earmarkCsv,
  raindropCsv,
  pocketCsv,
  instapaperCsv,
  otherCsv,
  unnamedTable,
  oneTab,
  urlList
]

/** The part of a text that decides its format, in UTF-16 code units. */
const HEAD_LENGTH = 65_536

/**
 * Finds the format of a text by its first characters.
 *
 * @param id the format that the owner chose
 * @throws Problem `invalid` if there is no such format
 */
export function findFormat(text: string, id?: string): ImportFormat | undefined {
  const chosen = formats.find((format) => format.id === id)
  if (id !== undefined && !chosen) {
    const valid = formats.map((format) => format.id).join(', ')
    throw new Problem('invalid', `There is no format ${cleanText(id, 40)}. Valid formats: ${valid}.`)
  }
  const head = text.slice(0, HEAD_LENGTH)
  return chosen ?? formats.find((format) => format.recognises(head))
}

/** Returns the error for a file without bookmarks. @param description of the file, as a sentence */
export function unknownFileProblem(description: string): Problem {
  const others = 'the ZIP archives of Safari, Pocket, Omnivore and Earmark, and Firefox’s .jsonlz4 and places.sqlite'
  return new Problem(
    'invalid',
    `${description} Earmark reads: ${formats.map(({ name }) => name).join(', ')}, ${others}.`
  )
}

/** Maximum number of names of columns or fields in a description, and maximum length of each, in UTF-16 code units. */
const MAX_NAMES = 12
const MAX_NAME_LENGTH = 40

/** Length of the part of a file that decides its description, in UTF-16 code units. */
const SAMPLE_LENGTH = 4096

/** The first characters of files that people mistake for bookmark files. */
const BINARY = {
  'SQLite format 3':
    'a SQLite database. Watch Firefox’s places.sqlite in Settings, or import it with the earmark command',
  '%PDF-': 'a PDF',
  GIF8: 'a picture'
}

/** Describes a file of no known format in a sentence, by its first characters. */
export function describeFile(head: string): string {
  const text = head.trimStart().slice(0, SAMPLE_LENGTH)
  if (text === '') return 'It is empty.'
  return `It looks like ${binary(text) ?? json(text) ?? markup(text) ?? table(text) ?? prose(text)}.`
}

function binary(text: string): string | undefined {
  const match = Object.entries(BINARY).find(([beginning]) => text.startsWith(beginning))
  return match?.[1] ?? (text.includes('\0') ? 'a binary file' : undefined)
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
  const delimiter = [',', ';', '\t', '|'].find(
    (sign) => line.includes(sign) && line.split(sign).length === (next || line).split(sign).length
  )
  if (delimiter === undefined) return undefined
  const columns = line.split(delimiter).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''))
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
