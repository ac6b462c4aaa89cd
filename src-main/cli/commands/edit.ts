import { Command, Option } from 'commander'
import type { UnchangedReason } from '../../contract/bookmark-change.ts'
import {
  type CommandProcess,
  type CommonOptions,
  commandFor,
  common,
  print,
  repeatableOption,
  Unfinished
} from '../command.ts'
import { callApi } from '../service-client.ts'

/** Commands that show and change bookmarks by their ids, which `search --long` prints. */
const ID = 'id of the bookmark; search --long prints it'

export function showCommand(host: CommandProcess): Command {
  return common(new Command('show'))
    .description('show all that is saved of a bookmark; search id:ID shows the text of its page')
    .argument('<id>', ID)
    .action(async (id: string, { data, json }: CommonOptions) => {
      const bookmark = await callApi(data, (api) => api.bookmarks[':id'].$get({ param: { id } }))
      const { title, url, tags, visibility, organization, createdAt, updatedAt, deletedAt } = bookmark
      const facts = {
        address: url,
        tags: tags.map((tag) => `#${tag}`).join(' '),
        place: organization ?? visibility,
        saved: createdAt,
        changed: updatedAt === createdAt ? '' : updatedAt,
        'in the trash since': deletedAt
      }
      print(host, { json }, bookmark, [
        title || 'Untitled',
        ...Object.entries(facts).flatMap(([name, value]) => (value ? [`  ${name}: ${value}`] : [])),
        ...[bookmark.description, bookmark.content].filter((text) => text !== '').flatMap((text) => ['', text])
      ])
    })
}

interface EditOptions extends CommonOptions {
  title?: string
  description?: string
  url?: string
  visibility?: 'private' | 'public'
  organization?: string
}

export function editCommand(host: CommandProcess): Command {
  return common(new Command('edit'))
    .description('change a bookmark')
    .argument('<id>', ID)
    .option('--title <title>', 'its title')
    .option('--description <text>', 'its description')
    .option('--url <address>', 'its address')
    .addOption(new Option('--visibility <visibility>', 'who else may see it').choices(['private', 'public']))
    .addOption(
      new Option('--organization <organization>', 'move it to this organization, by its name or id').conflicts(
        'visibility'
      )
    )
    .action(async (id: string, { data, json, ...patch }: EditOptions, command: Command) => {
      if (Object.keys(patch).length === 0) command.error('error: name what to change, for example --title')
      const edited = await callApi(data, (api) => api.bookmarks[':id'].$patch({ param: { id }, json: patch }))
      const { title, url } = edited.bookmark
      const what = title || url || id
      const lines = edited.undo === null ? [`${what} was like that already.`] : [`Changed: ${what}`]
      print(host, { json }, edited, [...lines, ...undoLine(data, edited.undo)])
    })
}

interface TagOptions extends CommonOptions {
  add?: string[]
  remove?: string[]
}

export function tagCommand(host: CommandProcess): Command {
  return common(new Command('tag'))
    .description('add tags to bookmarks, or remove tags from them')
    .argument('<ids...>', 'ids of the bookmarks; search --long prints them')
    .addOption(repeatableOption('--add <tag>', 'add this tag; repeat the option for several'))
    .addOption(repeatableOption('--remove <tag>', 'remove this tag; repeat the option for several'))
    .action((ids: string[], { add = [], remove = [], ...options }: TagOptions, command: Command) => {
      if (add.length + remove.length === 0) command.error('error: give --add TAG or --remove TAG')
      return change(ids, { kind: 'tags', add, remove }, options, 'Changed the tags of', host)
    })
}

export function deleteCommand(host: CommandProcess): Command {
  return common(new Command('delete'))
    .description('move bookmarks to the trash, which deletes them after 30 days')
    .argument('<ids...>', 'ids of the bookmarks; search --long prints them')
    .action((ids: string[], options: CommonOptions) =>
      change(ids, { kind: 'delete' }, options, 'Moved to the trash:', host)
    )
}

type Change = { kind: 'tags'; add: string[]; remove: string[] } | { kind: 'delete' }

/** @param done the beginning of the report's first line, before the number of bookmarks */
async function change(
  ids: string[],
  requested: Change,
  { data, json }: CommonOptions,
  done: string,
  host: CommandProcess
): Promise<void> {
  const request = { query: {}, json: { ids, change: requested } }
  const report = await callApi(data, (api) => api.bookmarks.changes.$post(request))
  const { changed, unchanged, kept, undo } = report
  const same = unchanged - kept.length
  print(host, { json }, report, [
    `${done} ${changed === 1 ? '1 bookmark' : `${changed} bookmarks`}`,
    ...(same > 0 ? [`${same} had nothing to change.`] : []),
    ...kept.map(({ id, reason }) => `Not changed: ${id}: ${REASONS[reason]}`),
    ...undoLine(data, undo)
  ])
  if (kept.length > 0) throw new Unfinished()
}

const REASONS: Record<UnchangedReason, string> = {
  missing: 'there is no such bookmark',
  'in-trash': 'it is in the trash',
  'not-in-trash': 'it is not in the trash',
  'same-page': 'the page is saved there already',
  'same-page-in-trash': 'the page is in the trash there',
  'too-many-tags': 'it has the maximum number of tags',
  'not-moved': 'its page did not move'
}

export function undoCommand(host: CommandProcess): Command {
  return common(new Command('undo'))
    .description('undo a change; bookmarks that were changed again since stay as they are')
    .argument('<number>', 'the number that the change printed')
    .action(async (id: string, { data, json }: CommonOptions) => {
      const report = await callApi(data, (api) => api.undo[':id'].$post({ param: { id }, query: {} }))
      const { undone, kept } = report
      const stayed = kept > 0 ? [`${kept} were changed since and stay as they are.`] : []
      print(host, { json }, report, [`Undone for ${undone === 1 ? '1 bookmark' : `${undone} bookmarks`}.`, ...stayed])
    })
}

function undoLine(data: string | undefined, undo: number | null): string[] {
  return undo === null ? [] : [`To undo it: ${commandFor(data, `earmark undo ${undo}`)}`]
}
