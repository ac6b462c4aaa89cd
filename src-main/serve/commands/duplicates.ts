import { Command, InvalidArgumentError } from 'commander'
import { type CommonOptions, common, print } from '../command.ts'
import { read, withConnection } from '../connect.ts'

interface DuplicatesOptions extends CommonOptions {
  page: number
  limit: number
}

/** `earmark duplicates` */
export function duplicatesCommand(): Command {
  return common(new Command('duplicates'))
    .description('find bookmarks of nearly the same page; the dashboard merges them')
    .option('--page <n>', 'page number', (text) => whole(text, 1_000_000), 1)
    .option('--limit <n>', 'groups a page', (text) => whole(text, 100), 20)
    .action(duplicates)
}

async function duplicates({ data, json, page, limit }: DuplicatesOptions): Promise<void> {
  const query = { page: String(page), limit: String(limit) }
  const found = await withConnection(data, async ({ api }) => read(await api.duplicates.$get({ query })))
  const lines = found.groups.flatMap(({ why, bookmarks }) =>
    bookmarks.map(({ title, url, organization }, index) =>
      [index === 0 ? url : `  = ${url}`, title, organization && `(${organization})`, index === 0 && WHY[why]]
        .filter(Boolean)
        .join('  ')
    )
  )
  const total = found.total === 1 ? '1 page saved more than once' : `${found.total} pages saved more than once`
  const more = found.hasMore ? `, page ${page}; --page ${page + 1} for more` : ''
  const unsettled = found.settled ? [] : ['Earmark is still comparing what was saved before. There may be more.']
  print({ json }, found, [...lines, ...unsettled, `${total}${more}`])
}

const WHY = { near: '', own: '[the same by its own word]', moved: '[one has moved]' }

function whole(text: string, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > most) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`)
  }
  return Number(text)
}
