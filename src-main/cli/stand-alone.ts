/** The program of the npm package and of the bundle for Claude Desktop. It cannot start Earmark. */
import { Problem } from '../contract/problem.ts'
import { homepage, version } from '../host/own-program.ts'
import { createFindTarget } from './find-service.ts'
import { serveStdio } from './stdio-bridge.ts'

const HELP = `earmark-mcp ${version} connects an MCP client to Earmark on this computer.

The client starts it: add {"command": "npx", "args": ["-y", "earmark-mcp"]} to its MCP servers.

EARMARK_KEY   the API key to use (default: the only key that is stored in the keychain)
EARMARK_DATA  the data folder of Earmark (default: the platform's application-data folder)
`

const key = setting('EARMARK_KEY')
if (key === undefined) delete process.env.EARMARK_KEY

const findTarget = createFindTarget({
  data: setting('EARMARK_DATA'),
  keyId: undefined,
  underscoreNames: true,
  start: undefined,
  advice: {
    start: `Open Earmark, or install it from ${homepage}, and try again.`,
    makeKey: 'Create one in Earmark under Profile, API Keys',
    chooseKey: 'Set EARMARK_KEY to the secret of one'
  }
})
// An MCP client passes no arguments, and its standard input is no terminal.
if (process.argv.length > 2 || process.stdin.isTTY) await introduce()
else await serveStdio(findTarget, { underscoreNames: true })

/** Prints the purpose of this program, and whether a call would reach Earmark. */
async function introduce(): Promise<void> {
  const state = await findTarget({}).then(
    ({ url }) => `Earmark was found at ${new URL(url).origin}, with an API key.`,
    (error) => {
      if (!(error instanceof Problem)) throw error
      process.exitCode = 1
      return error.message
    }
  )
  console.log(`${HELP}\n${state}`)
}

/** A client may pass an empty setting as an empty string, or as the name of its variable. */
function setting(name: string): string | undefined {
  const value = process.env[name]?.trim()
  return value === undefined || value === '' || value.startsWith('${') ? undefined : value
}
