import { styleText } from 'node:util'
import { Command, Option } from 'commander'
import { exactly, parseQuery } from '../../search/query.ts'
import { type CommandProcess, type CommonOptions, common, print } from '../command.ts'
import { withConnection } from '../connect.ts'
import { limitOption, pageOption, tagOption } from '../options.ts'

interface SearchOptions extends CommonOptions {
  tag?: string[]
  domain?: string
  type?: 'link' | 'image' | 'color' | 'text'
  page: number
  limit: number
  exactly?: boolean
}

/** `earmark search WORDS` */
export function searchCommand(host: CommandProcess): Command {
  return common(new Command('search'))
    .description('find bookmarks; without words, list the newest')
    .argument(
      '[words...]',
      'words; "a phrase", -without, one OR other, tag:x, site:x, type:x, before:2026-01, in:title'
    )
    .option('--exactly', 'only bookmarks with every word as typed')
    .addOption(tagOption())
    .option('--domain <domain>', 'only this site and its subdomains')
    .addOption(new Option('--type <type>', 'only this type').choices(['link', 'image', 'color', 'text']))
    .addOption(pageOption())
    .addOption(limitOption('bookmarks per page'))
    .addHelpText('after', EXAMPLES)
    .allowUnknownOption() // -word is a word that must be missing
    .action((words: string[], options: SearchOptions, command: Command) => {
      const isMeant = (word: string) => command.options.some(({ long }) => long === `-${word}`)
      const unknown = words.find((word) => word.startsWith('--') || isMeant(word))
      if (unknown !== undefined) command.error(`error: unknown option '${unknown}'`)
      return search(options.exactly ? exactly(words.join(' ')) : words.join(' '), options, host)
    })
}

/** A shell takes quotes away, so a query that holds some goes into others. */
const EXAMPLES = `
Examples:
  earmark search half remembered words -without
  earmark search 'tag:"to read" "an exact phrase"'`

async function search(
  words: string,
  { data, json, tag, domain, type, page, limit }: SearchOptions,
  host: CommandProcess
): Promise<void> {
  const query = {
    words,
    page: String(page),
    limit: String(limit),
    tag,
    domain,
    type
  }
  const found = await withConnection(data, ({ findBookmarks }) => findBookmarks(query))
  const highlight = highlighter(words, host)
  const lines = found.bookmarks.flatMap(({ title, url, content, picture, tags, snippet }) => [
    highlight(title || url || content.slice(0, 100) || (picture === null ? '' : 'Untitled picture')),
    ...(title && url ? [`  ${highlight(url)}`] : []),
    ...(tags.length > 0 ? [`  ${tags.map((one) => `#${highlight(one)}`).join(' ')}`] : []),
    ...(snippet ? [`  ${highlight(snippet)}`] : [])
  ])
  const total = `${found.total}${found.atLeast ? '+' : ''} found`
  const more = found.hasMore ? `, page ${page}; --page ${page + 1} for more` : ''
  print(host, { json }, found, [...lines, ...(found.hint ? [found.hint] : []), `${total}${more}`])
}

/** Marks the words that were searched for, where the terminal shows it. */
function highlighter(words: string, { stdout }: CommandProcess): (text: string) => string {
  const terms = parseQuery(words).all.flatMap((group) => group.map((term) => escapePattern(term.text)))
  if (terms.length === 0) return (text) => text
  const pattern = new RegExp(terms.join('|'), 'giu')
  // styleText leaves the text as it is where colors are off or the output is no terminal.
  return (text) => text.replace(pattern, (match) => styleText(['bold', 'yellow'], match, { stream: stdout }))
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => (character === '-' ? '\\x2d' : `\\${character}`))
}
