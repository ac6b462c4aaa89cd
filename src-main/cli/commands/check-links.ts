import { setTimeout as sleep } from 'node:timers/promises'
import { Command, Option } from 'commander'
import type { LinkFault } from '../../contract/link-check.ts'
import { Problem } from '../../contract/problem.ts'
import {
  type CommandProcess,
  type CommonOptions,
  common,
  createProgressBar,
  print,
  tagOption,
  Unfinished,
  withInterrupt
} from '../command.ts'
import { type Connection, read, withConnection } from '../service-client.ts'

/** Interval in ms at which the progress is read. */
const POLL_MS = 300

/** Maximum number of links that are printed; `--json` has more. */
const MAX_SHOWN = 100

interface CheckOptions extends CommonOptions {
  tag?: string[]
  domain?: string
  type?: 'link' | 'image'
}

export function checkLinksCommand(host: CommandProcess): Command {
  return common(new Command('check-links'))
    .description('check whether the pages of bookmarks still exist: all, or those that match words and filters')
    .argument('[words...]', 'as in search, for example is:broken')
    .addOption(tagOption())
    .option('--domain <domain>', 'only this site and its subdomains')
    .addOption(new Option('--type <type>', 'only this type').choices(['link', 'image']))
    .action((words: string[], options: CheckOptions) => checkLinks(words.join(' ').trim(), options, host))
}

async function checkLinks(
  words: string,
  { data, tag, domain, type, ...options }: CheckOptions,
  host: CommandProcess
): Promise<void> {
  const choice = { words: words || undefined, tag, domain, type }
  await withConnection(
    data,
    async (connection) => {
      const { api } = connection
      await read(await api['link-checks'].$post({ json: choice }))
      const check = await untilEnded(connection, host)
      const links = await read(await api['link-checks'].found.$get())
      print(host, options, { ...check, links }, linesOf(check, links))
      if (check.cancelled) throw new Unfinished()
    },
    { fetches: true, long: true }
  )
}

type Status = Awaited<ReturnType<typeof statusOf>>
type Check = NonNullable<Status['check']>

async function statusOf({ api }: Connection) {
  return read(await api['link-checks'].$get())
}

/** Waits for the end of the check. Ctrl-C stops the check, and the program then prints the results so far. */
function untilEnded(connection: Connection, host: CommandProcess): Promise<Check> {
  const progress = createProgressBar(host.stderr)
  return withInterrupt(host, async (signal) => {
    for (;;) {
      const { check, paused } = await statusOf(connection)
      if (!check) throw new Problem('not-found', 'The check ended, because the library was replaced by another one.')
      if (check.endedAt !== null) return check
      progress.draw(check.total === 0 ? 0 : check.checked / check.total)
      if (paused !== null) throw new Problem('invalid', PAUSED[paused])
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) await read(await connection.api['link-checks'].cancel.$post())
    }
  }).finally(progress.clear)
}

const PAUSED = {
  off: 'The setting for page details was turned off. Turn it on to continue the check. Earmark must be running.',
  offline: 'There is no network. The check continues when there is one and Earmark is running.'
}

function linesOf(
  { checked, broken, moved, failing, unclear, cancelled }: Check,
  links: { url: string; link: string; fault: LinkFault | null; movedTo: string | null }[]
): string[] {
  const more = links.length - MAX_SHOWN
  return [
    ...links.slice(0, MAX_SHOWN).map(({ url, movedTo, fault }) => {
      return movedTo === null
        ? `broken  ${url}  (${fault === null ? '' : REASONS[fault]})`
        : `moved   ${url} -> ${movedTo}`
    }),
    ...(more > 0 ? [`and ${more} more; --json lists them`] : []),
    `${checked} checked: ${broken} broken, ${moved} moved`,
    ...(failing > 0 ? [`${failing} failed, and will be checked again before they count as broken.`] : []),
    ...(failing > 0 && failing === checked ? ['Not one page was reached: you seem to be offline.'] : []),
    ...(unclear > 0 ? [`${unclear} gave no clear answer: their sites require a login, refuse, or have problems.`] : []),
    ...(cancelled ? ['Stopped before the end.'] : [])
  ]
}

const REASONS: Record<LinkFault, string> = {
  address: 'not on the public web',
  redirects: 'redirects too often',
  unreachable: 'not reached',
  slow: 'took too long',
  login: 'requires a login',
  wall: 'asks for proof that you are human',
  refused: 'refuses',
  gone: 'no longer there',
  busy: 'has problems or is too busy',
  unreadable: 'unreadable',
  'no-host': 'no such host',
  'no-answer': 'does not answer',
  certificate: 'its certificate is not valid',
  'certificate-incomplete': 'its certificate is incomplete',
  handshake: 'no secure connection',
  'front-page': 'leads to the front page'
}
