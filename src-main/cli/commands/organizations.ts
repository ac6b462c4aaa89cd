import { Command } from 'commander'
import { type CommandProcess, type CommonOptions, common, print } from '../command.ts'
import { read, withConnection } from '../connect.ts'

/** `earmark organizations create | list` */
export function organizationsCommand(host: CommandProcess): Command {
  const organizations = new Command('organizations').description('create and list organizations, your local workspaces')

  common(organizations.command('create'))
    .description('create an organization')
    .requiredOption('--name <name>', 'a client, a project')
    .action(async ({ data, name, ...options }: CommonOptions & { name: string }) => {
      const made = await withConnection(
        data,
        async ({ api }) => read(await api.organizations.$post({ json: { name } })),
        { makes: true }
      )
      print(host, options, made, `${made.id}  ${made.name}`)
    })

  common(organizations.command('list'))
    .description('list all organizations')
    .action(async ({ data, ...options }: CommonOptions) => {
      const all = await withConnection(data, async ({ api }) => read(await api.organizations.$get()))
      const lines = all.map(({ id, name }) => `${id}  ${name}`)
      print(host, options, { organizations: all }, lines.length > 0 ? lines : 'No organizations yet.')
    })

  return organizations
}
