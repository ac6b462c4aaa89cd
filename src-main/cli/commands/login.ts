import { Command } from 'commander'
import { Problem } from '../../contract/problem.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { howToStart } from '../../host/own-program.ts'
import { readServiceFile } from '../../host/service-file.ts'
import { type CommandProcess, type CommonOptions, common, print } from '../command.ts'
import { assertThere, read, withConnection } from '../connect.ts'

/** Old versions of Safari do not know that names below `localhost` are this machine. */
export const UNKNOWN_NAME =
  'If your browser does not find the address, replace the name before the port with 127.0.0.1.'

/** `earmark login`: a new one-time link to the running service's dashboard. */
export function loginCommand(host: CommandProcess): Command {
  return common(new Command('login'))
    .description('create a one-time login link for the running service’s dashboard')
    .action(async ({ data, ...options }: CommonOptions) => {
      assertThere(data)
      if (!readServiceFile(prepareDataFolder(data))) throw notRunning()
      const link = await withConnection(data, async ({ api, running }) => {
        if (!running) throw notRunning()
        return read(await api['login-links'].$post())
      })
      print(host, options, link, link.login)
      if (!options.json && host.stderr.isTTY) host.stderr.write(`(${UNKNOWN_NAME})\n`)
    })
}

function notRunning(): Problem {
  return new Problem('service-unreachable', `Earmark is not running. ${howToStart()}`)
}
