/** The program in the bundle for Claude Desktop: the bridge alone, to the app that is installed beside it. */
import { createFindTarget } from './find-target.ts'
import { speakStdio } from './speak-stdio.ts'

const key = setting('EARMARK_KEY')
if (key === undefined) delete process.env.EARMARK_KEY

const findTarget = createFindTarget({
  data: setting('EARMARK_DATA'),
  keyId: undefined,
  underscoreNames: true,
  start: undefined,
  advice: { start: 'Open Earmark, and try again.', makeKey: 'Make one in Earmark under Profile, API Keys' }
})
await speakStdio(findTarget, { underscoreNames: true })

/** A setting that was left empty arrives as nothing, or as its own name. */
function setting(name: string): string | undefined {
  const value = process.env[name]?.trim()
  return value === undefined || value === '' || value.startsWith('${') ? undefined : value
}
