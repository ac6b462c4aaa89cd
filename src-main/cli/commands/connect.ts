import { Command } from 'commander'
import { BROWSERS } from '../../integrations/browsers.ts'
import { type CommandProcess, type CommonOptions, commandFor, common, print } from '../command.ts'
import { callApi, read, withConnection } from '../service-client.ts'

interface ConnectOptions extends CommonOptions {
  keyId?: string
  newKey?: boolean
  keyFile?: boolean
  dryRun?: boolean
  undo?: boolean
}

export function connectCommand(host: CommandProcess): Command {
  return common(new Command('connect'))
    .description('connect an editor or a browser to Earmark; without a name, list them')
    .argument('[name]', 'such as vscode, cursor, claude-code, codex, chromium, firefox; without it, all are listed')
    .option(
      '--key-id <id>',
      'the key an editor uses, from keys list (default: the stored key with its name, or a new one)'
    )
    .option('--new-key', 'create a key for the editor, even if it has one')
    .option('--key-file', 'also keep a new key’s secret in a file only your account can read')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--undo', 'revert the change to the editor’s or the browser’s file')
    .action((name: string | undefined, options: ConnectOptions, command: Command) => {
      if (name === undefined) return list(options, host)
      if (options.keyId !== undefined && options.newKey) command.error('error: give --key-id or --new-key, not both')
      if (BROWSERS.some((browser) => browser.id === name)) return connectBrowser(name, options, command, host)
      return options.undo ? undo(name, options, host) : connect(name, options, host)
    })
}

async function list({ data, ...options }: ConnectOptions, host: CommandProcess): Promise<void> {
  const { editors, browsers } = await withConnection(data, async ({ api }) => ({
    editors: await read(await api.editors.$get()),
    ...(await read(await api.browsers.$get()))
  }))
  const lines = editors.map(({ id, name, file, found, connected }) =>
    [id.padEnd(15), (connected ? 'connected' : found ? 'found' : '').padEnd(10), `${name}: ${file}`].join(' ')
  )
  const browserLines = browsers.map(({ id, name, found, sandbox, connected }) =>
    [id.padEnd(15), (connected ? 'connected' : found ? 'found' : (sandbox ?? '')).padEnd(10), name].join(' ').trimEnd()
  )
  print(host, options, { editors, browsers }, [...lines, ...browserLines])
}

/** Registers the program that the extension in a browser may start, or removes it. */
async function connectBrowser(
  id: string,
  options: ConnectOptions,
  command: Command,
  host: CommandProcess
): Promise<void> {
  const { data, json, keyId, newKey, keyFile, dryRun, undo = false } = options
  if (keyId !== undefined || newKey || keyFile) command.error('error: a browser needs no key')
  const request = { param: { id }, json: { dryRun } }
  const done = await callApi(data, (api) => api.browsers[':id'][undo ? 'disconnect' : 'connect'].$post(request), {
    creates: !undo && !dryRun
  })
  const { name, file, content, missing } = done
  const verb = undo ? (dryRun ? 'Would remove' : 'Removed') : dryRun ? 'Would write' : 'Wrote'
  const next = undo || dryRun ? '' : ` Earmark’s extension in ${name} can reach it now. --undo reverts this.`
  print(host, { json: json ?? false }, done, [
    `${verb} ${file}.${next}`,
    content.trimEnd(),
    ...absence('browser', missing, dryRun)
  ])
}

/** Returns the sentence about a program that is not installed. */
function absence(kind: 'editor' | 'browser', missing: boolean | undefined, dryRun: boolean | undefined): string[] {
  const effect = dryRun ? 'this file would have no effect' : 'this file has no effect'
  return missing ? [`The ${kind} was not found on this computer, so ${effect} until you install it.`] : []
}

async function connect(
  id: string,
  { data, json, keyId, newKey, keyFile, dryRun }: ConnectOptions,
  host: CommandProcess
): Promise<void> {
  const request = { keyId, newKey, keyFile, dryRun }
  const done = await callApi(data, (api) => api.editors[':id'].connect.$post({ param: { id }, json: request }), {
    creates: !dryRun
  })
  const { key, file, change, missing, holdsKey, madePrivate } = done
  const withKey = key ? `, with ${key.made ? 'the new key' : 'the key'} ${key.name} (${key.id})` : ''
  const first = dryRun ? `Would change ${file}:` : `Changed ${file}${withKey}. Restart the editor. --undo reverts this.`
  const { holds, others } = dryRun
    ? { holds: 'No keychain is available, so the key itself would be in the file', others: 'could not read the file' }
    : { holds: 'No keychain is available, so the key itself is in the file', others: 'cannot read the file' }
  const warning = holdsKey ? [`${holds}${madePrivate ? `, and other users of this computer ${others}` : ''}.`] : []
  print(host, { json: json ?? false }, done, [first, ...change, ...absence('editor', missing, dryRun), ...warning])
}

async function undo(id: string, { data, json, dryRun }: ConnectOptions, host: CommandProcess): Promise<void> {
  const { done, keys } = await withConnection(data, async ({ api }) => {
    const done = await read(await api.editors[':id'].disconnect.$post({ param: { id }, json: { dryRun } }))
    const name = (await read(await api.editors.$get())).find((editor) => editor.id === id)?.name
    const keys = (await read(await api.keys.$get())).filter((key) => key.state === 'active' && key.name === name)
    return { done, keys }
  })
  const keyLines = keys.map((key) => {
    const revoke = commandFor(data, `earmark keys revoke ${key.id}`)
    return `The key ${key.name} (${key.id}) still works. To revoke it: ${revoke}`
  })
  const first = `${dryRun ? 'Would restore' : 'Restored'} ${done.file}.`
  print(host, { json: json ?? false }, done, [first, ...done.change, ...(dryRun ? [] : keyLines)])
}
