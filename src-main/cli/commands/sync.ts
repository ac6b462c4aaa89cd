import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Command } from 'commander'
import { Problem } from '../../contract/problem.ts'
import type { SyncPreview, SyncProgress, SyncReport } from '../../contract/sync.ts'
import { type CommandProcess, type CommonOptions, commandFor, common, createProgressBar, print } from '../command.ts'
import { type Connection, callApi, read, withConnection } from '../service-client.ts'

interface JoinOptions extends CommonOptions {
  code?: string
  name?: string
  user?: string
  password?: string
  yes?: boolean
}

/** `earmark sync folder | webdav | status | now | code | password | pause | resume | leave` */
export function syncCommand(host: CommandProcess): Command {
  const sync = new Command('sync').description('keep the same bookmarks on several machines')

  joining(sync.command('folder'))
    .description('synchronize through a folder that another program copies between your machines')
    .argument('<path>', 'the folder, for example one of Syncthing, Dropbox or iCloud Drive')
    .action((path: string, options: JoinOptions) => join(host, resolve(path), options))

  joining(sync.command('webdav'))
    .description('synchronize through a folder on a WebDAV server')
    .argument('<address>', 'of a folder on Nextcloud or another server that has WebDAV')
    .option('--user <name>', 'your name on the server')
    .option('--password <password>', 'your password there; - reads it from standard input, after the code')
    .action((address: string, options: JoinOptions) => join(host, withUser(address, options.user), options))

  common(sync.command('status'))
    .description('show your machines and what is not sent or received yet')
    .action(async ({ data, ...options }: CommonOptions) => {
      const state = await readState(data)
      print(host, options, state, statusLines(state.sync, data))
    })

  common(sync.command('now'))
    .description('send and receive now')
    .action(async ({ data, ...options }: CommonOptions) => {
      const report = await withConnection(data, (connection) => syncNow(connection, host))
      print(host, options, report, [
        `Changes sent: ${report.sent}, received: ${report.received}.`,
        ...(report.resent ? [RESENT] : []),
        ...report.waiting
      ])
    })

  common(sync.command('code'))
    .description('show the code that another machine needs')
    .action(async ({ data, ...options }: CommonOptions) => {
      const shown = await callApi(data, (api) => api.sync.code.$get())
      print(host, options, shown, shown.code)
    })

  for (const [name, paused, description] of PAUSES) {
    common(sync.command(name))
      .description(description)
      .action(async ({ data, ...options }: CommonOptions) => {
        await callApi(data, (api) => api.sync.paused.$put({ json: { paused } }))
        print(host, options, { paused }, paused ? 'Synchronization is paused.' : 'Synchronization goes on.')
      })
  }

  common(sync.command('password'))
    .description('give a new password for the WebDAV server')
    .option('--password <password>', 'your password there; - reads it from standard input', '-')
    .action(async ({ data, password: given, ...options }: CommonOptions & { password: string }) => {
      const { sync: state } = await readState(data)
      if (!state)
        throw new Problem('not-found', 'Synchronization is not set up. Begin with: earmark sync webdav ADDRESS')
      if (!URL.canParse(state.folder)) {
        throw new Problem('invalid', `This machine synchronizes through ${state.folder}, which needs no password.`)
      }
      const lines = readLines(host)
      const password = given === '-' ? await lines.secret('Password') : given
      lines.close()
      await callApi(data, (api) => api.sync.password.$put({ json: { password } }))
      print(host, options, { changed: true }, 'The server accepts the password.')
    })

  common(sync.command('leave'))
    .description('stop synchronizing this machine; its bookmarks stay')
    .action(async ({ data, ...options }: CommonOptions) => {
      await callApi(data, (api) => api.sync.$delete())
      print(host, options, { sync: null }, 'This machine is no longer synchronized. Its bookmarks stay.')
    })

  return sync
}

function joining(command: Command): Command {
  return common(command)
    .option('--code <code>', 'the code that the first machine showed; - reads it from standard input')
    .option('--yes', 'join without asking')
    .option('--name <name>', 'what this machine is called', hostname())
}

async function join(
  host: CommandProcess,
  folder: string,
  { data, code: codeOption, password: passwordOption, name = hostname(), yes = false, ...options }: JoinOptions
): Promise<void> {
  const lines = readLines(host)
  const code = codeOption === '-' ? await lines.secret('Sync code') : codeOption
  const password = passwordOption === '-' ? await lines.secret('Password') : passwordOption
  const location = { folder, ...(password === undefined ? {} : { password }) }
  const json = { ...location, name, ...(code === undefined ? {} : { code }) }
  const result = await withConnection(
    data,
    async (connection) => {
      const { api } = connection
      if (code !== undefined && !yes && !options.json) {
        const preview = await read(await api.sync.preview.$post({ json: { ...location, code } }))
        host.stderr.write(previewText(preview))
        if (!/^y(es)?$/i.test(await lines.next())) {
          throw new Problem('invalid', 'Not joined. Nothing has changed. To join without being asked, add --yes.')
        }
      }
      const joined = await read(await api.sync.$post({ json }))
      // The first machine sends its bookmarks now, so that other machines can join at once.
      const sent =
        code === undefined
          ? await syncNow(connection, host).then(
              () => true,
              () => false
            )
          : undefined
      return { ...joined, sent }
    },
    { creates: true }
  ).finally(lines.close)
  print(host, options, { device: result.device, code: result.code, backup: result.backup }, [
    ...(result.backup === null ? [] : [`Your bookmarks were backed up to ${result.backup}.`]),
    ...(code === undefined
      ? [
          'This code is the key to the folder. Give it to your other machines, and keep it secret:',
          result.code,
          result.sent ? 'Your bookmarks are in the folder. Status:' : 'Your bookmarks are not sent yet. Status:'
        ]
      : ['This machine has joined. Bookmarks come in while Earmark runs. To get them now:']),
    commandFor(data, code === undefined ? 'earmark sync status' : 'earmark sync now')
  ])
}

function withUser(address: string, user: string | undefined): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Problem('invalid', 'Give the address of a folder on the server, which begins with https://')
  }
  if (user !== undefined) url.username = encodeURIComponent(user)
  return url.href
}

/** Sends and receives with a progress bar. */
async function syncNow({ api }: Connection, host: CommandProcess): Promise<SyncReport> {
  const bar = createProgressBar(host.stderr)
  const polling = setInterval(async () => {
    const { sync } = await read(await api.sync.$get()).catch(() => ({ sync: null }))
    if (sync?.progress) bar.draw(sync.progress.done / sync.progress.total)
  }, POLL_MS)
  try {
    return await read(await api['sync-now'].$post())
  } finally {
    clearInterval(polling)
    bar.clear()
  }
}

/** Interval in ms at which the progress is read. */
const POLL_MS = 1000

function progressText({ work, done, total }: SyncProgress): string {
  return `${work === 'sending' ? 'Sending' : 'Receiving'} bookmarks: ${Math.floor((done / total) * 100)} %.`
}

function previewText({ here, there, same }: SyncPreview): string {
  return (
    `This machine has ${here} bookmarks and the others have ${there}; ${same} are the same. Joining adds ${there - same} here and ` +
    `${here - same} there. Earmark backs up this machine first. Join? [y/N] `
  )
}

/** Reads standard input line by line: from a person or from a script. */
function readLines({ stdin, stderr }: CommandProcess) {
  let input: Interface | undefined
  let lines: AsyncIterator<string> | undefined
  let isHidden = false
  // Readline writes the typed characters to this stream.
  const echo = new Writable({
    write(chunk, _, done) {
      if (!isHidden) stderr.write(chunk)
      done()
    }
  })
  async function next(): Promise<string> {
    input ??= createInterface({ input: stdin, output: echo, terminal: stdin.isTTY === true })
    lines ??= input[Symbol.asyncIterator]()
    const { value } = await lines.next()
    return String(value ?? '').trim()
  }
  return {
    next,
    /** In a terminal, prompts for the line and hides what is typed. */
    async secret(name: string): Promise<string> {
      if (!stdin.isTTY) return next()
      stderr.write(`${name}: `)
      isHidden = true
      const typed = await next()
      isHidden = false
      stderr.write('\n')
      return typed
    },
    close: () => input?.close()
  }
}

const PAUSES = [
  ['pause', true, 'stop sending and receiving until you resume'],
  ['resume', false, 'go on after a pause']
] as const

type State = Awaited<ReturnType<typeof readState>>['sync']

const RESENT = 'Files were missing from the sync folder. This machine sent all of its bookmarks again.'

const readState = (data: string | undefined) => callApi(data, (api) => api.sync.$get())

function statusLines(state: State, data: string | undefined): string[] {
  if (!state) return [`Synchronization is not set up. Begin with: ${commandFor(data, 'earmark sync folder PATH')}`]
  return [
    `${state.name}, through ${state.folder}${state.paused ? ', paused' : ''}`,
    ...state.devices.map(({ name, seenAt }) => `  ${name}, last read ${seenAt}`),
    ...(state.unsent > 0 ? [`Changes yet to be sent: ${state.unsent}.`] : []),
    ...(state.unsent + state.waiting.length === 0 ? ['All changes are sent.'] : []),
    ...(state.progress ? [progressText(state.progress)] : []),
    ...(state.resent === null ? [] : [`${RESENT} That was ${state.resent}.`]),
    ...state.waiting
  ]
}
