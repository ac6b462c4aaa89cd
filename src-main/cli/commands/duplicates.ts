import { Command } from 'commander'
import { type CommandProcess, type CommonOptions, common, print } from '../command.ts'
import { read, withConnection } from '../connect.ts'
import { limitOption, pageOption } from '../options.ts'

interface DuplicatesOptions extends CommonOptions {
  page: number
  limit: number
}

/** `earmark duplicates` */
export function duplicatesCommand(host: CommandProcess): Command {
  return common(new Command('duplicates'))
    .description('list bookmarks of nearly the same page; merge them in the dashboard')
    .addOption(pageOption())
    .addOption(limitOption('groups per page'))
    .action((options: DuplicatesOptions) => duplicates(options, host))
}

async function duplicates({ data, json, page, limit }: DuplicatesOptions, host: CommandProcess): Promise<void> {
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
  print(host, { json }, found, [...lines, ...unsettled, `${total}${more}`])
}

const WHY = { near: '', own: '[one page names the other as its canonical address]', moved: '[one has moved]' }
