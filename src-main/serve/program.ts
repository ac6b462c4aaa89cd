import { Command } from 'commander'
import { version } from '../host/package-facts.ts'
import { run } from './command.ts'
import { addCommand } from './commands/add.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { checkLinksCommand } from './commands/check-links.ts'
import { connectCommand } from './commands/connect.ts'
import { doctorCommand } from './commands/doctor.ts'
import { duplicatesCommand } from './commands/duplicates.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { keysCommand } from './commands/keys.ts'
import { loginCommand } from './commands/login.ts'
import { mcpStdioCommand } from './commands/mcp-stdio.ts'
import { nativeHostCommand } from './commands/native-host.ts'
import { organizationsCommand } from './commands/organizations.ts'
import { searchCommand } from './commands/search.ts'
import { serveCommand } from './commands/serve.ts'

/** Runs one command line, the name of the program left out, and says how it ended; see `run`. */
export async function runCommandLine(args: string[]): Promise<number> {
  // Whoever reads the output may stop early, as `head` does.
  process.stdout.on('error', () => process.exit())
  return run(program, args)
}

const program = new Command('earmark')
  .description('Your bookmarks, on your machine, for you and the agents in your editor.')
  .version(version)
  .addCommand(serveCommand())
  .addCommand(keysCommand())
  .addCommand(connectCommand())
  .addCommand(organizationsCommand())
  .addCommand(addCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(doctorCommand())
  .addCommand(searchCommand())
  .addCommand(duplicatesCommand())
  .addCommand(checkLinksCommand())
  .addCommand(loginCommand())
  .addCommand(mcpStdioCommand())
  .addCommand(nativeHostCommand())
