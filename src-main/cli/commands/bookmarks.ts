import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { Command, Option } from 'commander'
import { Problem } from '../../contract/problem.ts'
import { withScheme } from '../../contract/web-address.ts'
import { readingIn } from '../../core/id-searches.ts'
import { standardInput } from '../../host/own-program.ts'
import { parseQuery, quoteWords } from '../../search/query.ts'
import {
  type CommandProcess,
  type CommonOptions,
  common,
  forTerminal,
  limitOption,
  pageOption,
  print,
  tagOption,
  Unfinished
} from '../command.ts'
import { type Connection, callApi, read, withConnection } from '../service-client.ts'

interface AddOptions extends CommonOptions {
  title?: string
  tag?: string[]
  organization?: string
}

type Added =
  | { url: string; status: 'saved' | 'existing'; id: string; addedTags: string[] }
  | { url: string; status: 'invalid'; reason: string }

export function addCommand(host: CommandProcess): Command {
  return common(new Command('add'))
    .description('save pages; a page that is already saved gets the tags it lacks')
    .argument('<urls...>', 'addresses; - reads more from standard input, one per line')
    .option('--title <title>', 'title of the page (default: the page’s own title)')
    .addOption(tagOption('add this tag; repeat the option for several'))
    .option('--organization <organization>', 'save into this organization, by its name or id')
    .action(async (given: string[], options: AddOptions, command: Command) => {
      const urls = await readAddresses(given, host)
      if (urls.length === 0) command.error('error: no address was given')
      if (options.title !== undefined && urls.length > 1) command.error('error: --title needs exactly one address')
      await add(urls, options, host)
    })
}

/** Returns the addresses. `-` reads them from standard input, without blank lines and lines that begin with `#`. */
async function readAddresses(given: string[], host: CommandProcess): Promise<string[]> {
  const urls: string[] = []
  for (const text of given) {
    if (text !== '-') urls.push(withScheme(text.trim()) ?? text)
    else
      for await (const line of createInterface({ input: standardInput(host) }))
        if (!/^\s*(#|$)/.test(line)) urls.push(line)
  }
  return urls
}

/** Saves the pages one by one and prints a line for each, or one JSON object for all at the end. */
async function add(urls: string[], { data, json, ...fields }: AddOptions, host: CommandProcess): Promise<void> {
  const bookmarks: Added[] = []
  const work = async (connection: Connection) => {
    for (const url of urls) {
      const added = await addPage(connection, url, fields)
      bookmarks.push(added)
      if (!json) print(host, {}, added, lineOf(added))
    }
  }
  await withConnection(data, work, { creates: true })
  const count = (status: Added['status']) => bookmarks.filter((added) => added.status === status).length
  const report = { saved: count('saved'), existing: count('existing'), invalid: count('invalid'), bookmarks }
  if (json) print(host, { json }, report, [])
  if (report.invalid > 0) throw new Unfinished()
}

/** Saves a page. An invalid address is a result, so that the other pages are saved. */
async function addPage({ api }: Connection, url: string, { title, tag, organization }: AddOptions): Promise<Added> {
  try {
    const json = { type: 'link' as const, url, title, tags: tag, organization }
    const { status, bookmark, addedTags } = await read(await api.bookmarks.captures.$post({ json }))
    return { url, status, id: bookmark.id, addedTags }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return { url, status: 'invalid', reason: error.message.replace(/^url: /, '') }
  }
}

function lineOf(added: Added): string {
  if (added.status === 'invalid') return `Not saved: ${added.url}: ${added.reason}`
  if (added.status === 'saved') return `Saved: ${added.url}`
  const tags = added.addedTags.map((tag) => `#${tag}`).join(' ')
  return tags === '' ? `Already there: ${added.url}` : `Already there, now with ${tags}: ${added.url}`
}

interface SearchOptions extends CommonOptions {
  tag?: string[]
  domain?: string
  type?: 'link' | 'image' | 'color' | 'text'
  page: number
  limit: number
  exactly?: boolean
  long?: boolean
}

export function searchCommand(host: CommandProcess): Command {
  return common(new Command('search'))
    .description('find bookmarks; without words, list the newest')
    .argument(
      '[words...]',
      'words; "a phrase", -without, one OR other, tag:x, site:x, type:x, before:2026-01, in:title'
    )
    .option('--exactly', 'only bookmarks with every word as typed')
    .option('--long', 'also print the id and the date of each bookmark')
    .addOption(tagOption())
    .option('--domain <domain>', 'only this site and its subdomains')
    .addOption(new Option('--type <type>', 'only this type').choices(['link', 'image', 'color', 'text']))
    .addOption(pageOption())
    .addOption(limitOption('bookmarks per page'))
    .addHelpText('after', EXAMPLES)
    .allowUnknownOption() // -word excludes a word
    .action((words: string[], options: SearchOptions, command: Command) => {
      const isOption = (word: string) => command.options.some(({ long }) => long === `-${word}`)
      const unknown = words.find((word) => word.startsWith('--') || isOption(word))
      if (unknown !== undefined) command.error(`error: unknown option '${unknown}'`)
      return search(options.exactly ? quoteWords(words.join(' ')) : words.join(' '), options, host)
    })
}

/** Examples in the help. A shell removes quotes, so a query that contains double quotes is put in single quotes. */
const EXAMPLES = `
Examples:
  earmark search half remembered words -without
  earmark search 'tag:"to read" "an exact phrase"'`

async function search(
  words: string,
  { data, json, tag, domain, type, page, limit, long }: SearchOptions,
  host: CommandProcess
): Promise<void> {
  const reading = readingIn(words)
  if (reading && 'id' in reading) return readOne(reading, { data, json, page, limit }, host)
  const query = { words, page: String(page), limit: String(limit), tag, domain, type }
  const results = await callApi(data, (api) => api.bookmarks.$get({ query }))
  const highlight = highlighter(words, host)
  const lines = results.bookmarks.flatMap(({ id, title, url, content, picture, tags, snippet, createdAt }) => [
    highlight(title || url || content.slice(0, 100) || (picture === null ? '' : 'Untitled picture')),
    ...(title && url ? [`  ${highlight(url)}`] : []),
    ...(tags.length > 0 ? [`  ${tags.map((tag) => `#${highlight(tag)}`).join(' ')}`] : []),
    ...(snippet ? [`  ${highlight(snippet)}`] : []),
    ...(long ? [`  ${id}  ${createdAt.slice(0, 10)}`] : [])
  ])
  const total = `${results.total}${results.atLeast ? '+' : ''} found`
  const more = results.hasMore ? `, page ${page}; --page ${page + 1} for more` : ''
  print(host, { json }, results, [...lines, `${total}${more}`])
  if (!json) printHint(results.hint, host)
}

/** Prints to stderr how the query was changed, or why nothing was found, so that stdout has only results. */
function printHint(hint: string | undefined, { stderr }: CommandProcess): void {
  if (hint) stderr.write(`${forTerminal(hint)}\n`)
}

/** Prints a page of a bookmark’s text, or the passages that have some words, for `search id:ID words`. */
async function readOne(
  { id, words }: { id: string; words: string },
  { data, json, page, limit }: CommonOptions & Pick<SearchOptions, 'page' | 'limit'>,
  host: CommandProcess
): Promise<void> {
  const query = { words, page: String(page), limit: String(limit) }
  const reading = await callApi(data, (api) => api.bookmarks[':id'].reading.$get({ param: { id }, query }))
  const { bookmark, text, passages, pages, contents, hint, hasMore } = reading
  const bookmarks = bookmark ? [{ ...bookmark, pages, contents, text, passages }] : []
  const head = bookmark ? [bookmark.title, bookmark.url ?? ''].filter(Boolean) : []
  const more = hasMore ? [`--page ${page + 1} for more${pages ? ` (of ${pages})` : ''}`] : []
  // The same form as a page of search results, as in the tool's answers.
  const result = { total: bookmarks.length, page, limit, hasMore, hint, bookmarks }
  print(host, { json }, result, [...head, ...(contents ?? []), ...(text ? [text] : []), ...(passages ?? []), ...more])
  if (!json) printHint(hint, host)
}

/** Highlights the searched words if the terminal shows colors. */
function highlighter(words: string, { stdout }: CommandProcess): (text: string) => string {
  const terms = parseQuery(words).all.flatMap((group) => group.map((term) => escapePattern(term.text)))
  if (terms.length === 0) return (text) => text
  const pattern = new RegExp(terms.join('|'), 'giu')
  // styleText returns the text unchanged if colors are off or the output is not a terminal.
  return (text) => text.replace(pattern, (match) => styleText(['bold', 'yellow'], match, { stream: stdout }))
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => (character === '-' ? '\\x2d' : `\\${character}`))
}

interface DuplicatesOptions extends CommonOptions {
  page: number
  limit: number
}

export function duplicatesCommand(host: CommandProcess): Command {
  return common(new Command('duplicates'))
    .description('list bookmarks of nearly the same page; merge them in the dashboard')
    .addOption(pageOption())
    .addOption(limitOption('groups per page'))
    .action((options: DuplicatesOptions) => duplicates(options, host))
}

async function duplicates({ data, json, page, limit }: DuplicatesOptions, host: CommandProcess): Promise<void> {
  const query = { page: String(page), limit: String(limit) }
  const results = await callApi(data, (api) => api.duplicates.$get({ query }))
  const lines = results.groups.flatMap(({ why, bookmarks }) =>
    bookmarks.map(({ title, url, organization }, index) =>
      [index === 0 ? url : `  = ${url}`, title, organization && `(${organization})`, index === 0 && WHY[why]]
        .filter(Boolean)
        .join('  ')
    )
  )
  const total = results.total === 1 ? '1 page saved more than once' : `${results.total} pages saved more than once`
  const more = results.hasMore ? `, page ${page}; --page ${page + 1} for more` : ''
  const unsettled = results.settled ? [] : ['Earmark is still comparing what was saved before. There may be more.']
  print(host, { json }, results, [...lines, ...unsettled, `${total}${more}`])
}

const WHY = { near: '', own: '[one page names the other as its canonical address]', moved: '[one has moved]' }
