/** The program in the npm package and in the bundle for Claude Desktop: the bridge alone, to the app that runs beside it. */
import { Problem } from '../../contract/problem.ts'
import { homepage, version } from '../../host/own-program.ts'
import { createFindTarget } from './find-target.ts'
import { speakStdio } from './speak-stdio.ts'

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
// A client gives it no arguments and no terminal; a person who tries it has one or the other.
if (process.argv.length > 2 || process.stdin.isTTY) await introduce()
else await speakStdio(findTarget, { underscoreNames: true })

/** Says what this program is for, and whether a call would reach Earmark. */
async function introduce(): Promise<void> {
  const found = await findTarget({}).then(
    ({ mcp }) => `Earmark was found at ${new URL(mcp).origin}, with an API key.`,
    (error) => {
      if (!(error instanceof Problem)) throw error
      process.exitCode = 1
      return error.message
    }
  )
  console.log(`${HELP}\n${found}`)
}

/** A setting that was left empty arrives as nothing, or as its own name. */
function setting(name: string): string | undefined {
  const value = process.env[name]?.trim()
  return value === undefined || value === '' || value.startsWith('${') ? undefined : value
}
