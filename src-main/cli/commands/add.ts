import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { Problem } from '../../contract/problem.ts'
import { withScheme } from '../../contract/web-address.ts'
import { standardInput } from '../../host/standard-input.ts'
import { type CommandProcess, type CommonOptions, common, print, Unfinished } from '../command.ts'
import { type Connection, read, withConnection } from '../connect.ts'
import { tagOption } from '../options.ts'

interface AddOptions extends CommonOptions {
  title?: string
  tag?: string[]
  organization?: string
}

/** Result for one address. */
type Added =
  | { url: string; status: 'saved' | 'existing'; id: string; addedTags: string[] }
  | { url: string; status: 'invalid'; reason: string }

/** `earmark add URL...` */
export function addCommand(host: CommandProcess): Command {
  return common(new Command('add'))
    .description('save pages; a page that is already saved gets the tags it lacks')
    .argument('<urls...>', 'addresses; - reads more from standard input, one per line')
    .option('--title <title>', 'title of the page (default: the page’s own title)')
    .addOption(tagOption('add this tag; repeat the option for several'))
    .option('--organization <organization>', 'save into this organization, by its name or id')
    .action(async (given: string[], options: AddOptions, command: Command) => {
      const urls = await addressesIn(given, host)
      if (urls.length === 0) command.error('error: no address was given')
      if (options.title !== undefined && urls.length > 1) command.error('error: --title needs exactly one address')
      await add(urls, options, host)
    })
}

/** Blank lines and those that begin with `#` are no addresses, as in a list that is imported. */
async function addressesIn(given: string[], host: CommandProcess): Promise<string[]> {
  const urls: string[] = []
  for (const one of given) {
    if (one !== '-') urls.push(withScheme(one.trim()) ?? one)
    else
      for await (const line of createInterface({ input: standardInput(host) }))
        if (!/^\s*(#|$)/.test(line)) urls.push(line)
  }
  return urls
}

/** Saves the pages one by one, and says of each that it is saved; as JSON, of all at the end. */
async function add(urls: string[], { data, json, ...about }: AddOptions, host: CommandProcess): Promise<void> {
  const bookmarks: Added[] = []
  const work = async (connection: Connection) => {
    for (const url of urls) {
      const added = await addOne(connection, url, about)
      bookmarks.push(added)
      if (!json) print(host, {}, added, lineOf(added))
    }
  }
  await withConnection(data, work, { makes: true })
  const count = (status: Added['status']) => bookmarks.filter((one) => one.status === status).length
  const report = { saved: count('saved'), existing: count('existing'), invalid: count('invalid'), bookmarks }
  if (json) print(host, { json }, report, [])
  if (report.invalid > 0) throw new Unfinished()
}

/** One bad address never fails the others. */
async function addOne({ api }: Connection, url: string, { title, tag, organization }: AddOptions): Promise<Added> {
  try {
    const json = { type: 'link' as const, url, title, tags: tag, organization }
    const { status, bookmark, addedTags } = await read(await api.bookmarks.captures.$post({ json }))
    return { url, status, id: bookmark.id, addedTags }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return { url, status: 'invalid', reason: error.message.replace(/^url: /, '') }
  }
}

function lineOf(one: Added): string {
  if (one.status === 'invalid') return `Not saved: ${one.url}: ${one.reason}`
  if (one.status === 'saved') return `Saved: ${one.url}`
  const tags = one.addedTags.map((tag) => `#${tag}`).join(' ')
  return tags === '' ? `Already there: ${one.url}` : `Already there, now with ${tags}: ${one.url}`
}
