import { Command } from 'commander'
import { asTyped } from '../../host/own-program.ts'
import { type CommandProcess, type CommonOptions, common, print, tagOption, wholeNumber } from '../command.ts'
import { callApi } from '../service-client.ts'

interface CreateOptions extends CommonOptions {
  name?: string
  organization?: string
  keyFile?: boolean
  readOnly?: boolean
  tag?: string[]
  expires?: number
}

export function keysCommand(host: CommandProcess): Command {
  const keys = new Command('keys').description('create, list and revoke API keys')

  common(keys.command('create'))
    .description('create a key; its secret is shown once')
    .argument('[name]', 'name of the key, for example your editor’s name')
    .option('--name <name>', 'the name, as an option')
    .option(
      '--organization <name-or-id>',
      'the key belongs to this organization and sees only its bookmarks and public ones'
    )
    .option('--key-file', 'also keep the secret in a file only your account can read')
    .option('--read-only', 'the key may search but not save')
    .addOption(tagOption('everything the key saves gets this tag; up to five'))
    .option('--expires <days>', 'the key expires after this many days', wholeDays)
    .action((given: string | undefined, options: CreateOptions, command: Command) => {
      const name = onlyName(given, options.name, command, 'keys create NAME')
      return create({ ...options, name }, host)
    })

  common(keys.command('list'))
    .description('list all keys')
    .action((options: CommonOptions) => list(options, host))

  common(keys.command('revoke'))
    .description('revoke a key at once')
    .argument('<id>', 'the key’s id, from keys list')
    .action((id: string, options: CommonOptions) => revoke(id, options, host))

  return keys
}

/** Returns a name that is given as an argument or as an option. */
function onlyName(given: string | undefined, option: string | undefined, command: Command, usage: string): string {
  if (given !== undefined && option !== undefined) command.error('error: give the name once')
  return given ?? option ?? command.error(`error: give a name: ${usage}`)
}

async function create(
  { data, json, tag: tags, ...rest }: CreateOptions & { name: string },
  host: CommandProcess
): Promise<void> {
  const request = { ...rest, tags: tags ?? [] }
  const created = await callApi(data, (api) => api.keys.$post({ json: request }), { creates: true })
  const { id, key, prefix, keychain } = created
  const where = {
    stored: 'Stored in your keychain.',
    'shown-once': 'Shown only once and not stored: copy it now.',
    file: `Stored in ${'file' in created ? created.file : 'a file'}, which your other programs can read.`
  }[keychain]
  print(host, { json }, { id, key, prefix, keychain }, [key, where])
}

async function list({ data, ...options }: CommonOptions, host: CommandProcess): Promise<void> {
  const keys = await callApi(data, (api) => api.keys.$get())
  const lines = keys.map((key) =>
    [
      key.id,
      `${key.prefix}…`,
      key.name,
      key.organization?.name ?? 'me',
      key.readOnly ? 'read-only' : 'read and save',
      ...key.tags.map((tag) => `#${tag}`),
      key.state === 'active' && key.expiresAt ? `until ${key.expiresAt.slice(0, 10)}` : key.state,
      key.lastUsedAt ? `used ${key.lastUsedAt}${key.lastClient ? ` by ${key.lastClient}` : ''}` : 'never used'
    ].join('  ')
  )
  print(
    host,
    options,
    { keys },
    lines.length > 0 ? lines : asTyped('No keys yet. Create one: earmark keys create --name NAME')
  )
}

async function revoke(id: string, { data, ...options }: CommonOptions, host: CommandProcess): Promise<void> {
  await callApi(data, (api) => api.keys[':id'].$delete({ param: { id } }))
  print(host, options, { id, revoked: true }, `Revoked ${id}. Its next call is refused.`)
}

const wholeDays = wholeNumber({ from: 1, to: 3650, expected: 'Give 1 to 3650 days.' })

export function organizationsCommand(host: CommandProcess): Command {
  const organizations = new Command('organizations').description('create and list organizations, your local workspaces')

  common(organizations.command('create'))
    .description('create an organization')
    .argument('[name]', 'a client, a project')
    .option('--name <name>', 'the name, as an option')
    .action(async (given: string | undefined, options: CommonOptions & { name?: string }, command: Command) => {
      const { data } = options
      const name = onlyName(given, options.name, command, 'organizations create NAME')
      const organization = await callApi(data, (api) => api.organizations.$post({ json: { name } }), { creates: true })
      print(host, options, organization, `${organization.id}  ${organization.name}`)
    })

  common(organizations.command('list'))
    .description('list all organizations')
    .action(async ({ data, ...options }: CommonOptions) => {
      const all = await callApi(data, (api) => api.organizations.$get())
      const lines = all.map(({ id, name }) => `${id}  ${name}`)
      print(host, options, { organizations: all }, lines.length > 0 ? lines : 'No organizations yet.')
    })

  return organizations
}
