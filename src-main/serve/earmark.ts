/** The command line and the headless host, in one program. */
import { Command } from 'commander'
import { version } from '../host/package-facts.ts'
import { run } from './command.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { keysCommand } from './commands/keys.ts'
import { loginCommand } from './commands/login.ts'
import { mcpStdioCommand } from './commands/mcp-stdio.ts'
import { organizationsCommand } from './commands/organizations.ts'
import { searchCommand } from './commands/search.ts'
import { serveCommand } from './commands/serve.ts'

// Whoever reads the output may stop early, as `head` does.
process.stdout.on('error', () => process.exit())

const program = new Command('earmark')
  .description('Your bookmarks, on your machine, for you and the agents in your editor.')
  .version(version)
  .addCommand(serveCommand())
  .addCommand(keysCommand())
  .addCommand(organizationsCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand())
  .addCommand(searchCommand())
  .addCommand(loginCommand())
  .addCommand(mcpStdioCommand())

process.exitCode = await run(program, process.argv.slice(2))
