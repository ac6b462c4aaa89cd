import { Command } from 'commander'
import { type CommonOptions, common, print } from '../command.ts'
import { read, withConnection } from '../connect.ts'

interface ConnectOptions extends CommonOptions {
  keyId?: string
  newKey?: boolean
  keyFile?: boolean
  dryRun?: boolean
  undo?: boolean
}

/** `earmark connect EDITOR` */
export function connectCommand(): Command {
  return common(new Command('connect'))
    .description('write Earmark into an editor’s own file, or list the editors there are')
    .argument('[editor]', 'such as vscode, cursor, claude-code, codex; without it, all are listed')
    .option(
      '--key-id <id>',
      'the key the editor uses, from keys list (default: the kept one with its name, or a new one)'
    )
    .option('--new-key', 'make a key for the editor, even where it has one')
    .option('--key-file', 'also keep a new key’s secret in a file only your account can read')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--undo', 'put the editor’s file back')
    .action((editor: string | undefined, options: ConnectOptions, command: Command) => {
      if (editor === undefined) return list(options)
      if (options.keyId !== undefined && options.newKey) command.error('error: give --key-id or --new-key, not both')
      return options.undo ? undo(editor, options) : connect(editor, options)
    })
}

async function list({ data, ...options }: ConnectOptions): Promise<void> {
  const editors = await withConnection(data, async ({ api }) => read(await api.editors.$get()))
  const lines = editors.map(({ id, name, file, found, connected }) =>
    [id.padEnd(15), (connected ? 'connected' : found ? 'found' : '').padEnd(10), `${name}: ${file}`].join(' ')
  )
  print(options, { editors }, lines)
}

async function connect(id: string, { data, json, keyId, newKey, keyFile, dryRun }: ConnectOptions): Promise<void> {
  const request = { keyId, newKey, keyFile, dryRun }
  const done = await withConnection(data, async ({ api }) =>
    read(await api.editors[':id'].connect.$post({ param: { id }, json: request }))
  )
  const { key, file, change } = done
  const withKey = key ? `, with ${key.made ? 'the new key' : 'the key'} ${key.name} (${key.id})` : ''
  const said = dryRun ? `Would change ${file}:` : `Changed ${file}${withKey}. Restart the editor. --undo puts it back.`
  print({ json: json ?? false }, done, [said, ...change])
}

async function undo(id: string, { data, json, dryRun }: ConnectOptions): Promise<void> {
  const done = await withConnection(data, async ({ api }) =>
    read(await api.editors[':id'].disconnect.$post({ param: { id }, json: { dryRun } }))
  )
  print({ json: json ?? false }, done, [`${dryRun ? 'Would put back' : 'Put back'} ${done.file}.`, ...done.change])
}
