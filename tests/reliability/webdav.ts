/**
 * Two services with the same bookmarks, through a folder on Apache and then one on rclone. Both save and synchronize, while
 * services and servers are killed. At the end both export the same, and have every page that either acknowledged.
 *
 * The planted fault is a folder that loses the newest segment of a machine before the other has read it.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand, withoutKeychain } from '../support/earmark.ts'
import { freePort } from '../support/http.ts'
import { findProgram } from '../support/tools.ts'
import { endWithUs, type Figure, figure, options, random, report, skip, tempFolder, until } from './harness.ts'
import { comparisonFigures, filesIn, Group, isReadable, loseNewest } from './machines.ts'

const ROUNDS = options.n(10)
/** The user and group `nobody`, as Debian numbers them. */
const NOBODY = 65534
/** Modules of Apache. */
const MODULES = ['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_digest', 'dav', 'dav_fs']

const programs = { apache: await findProgram('apache2'), rclone: await findProgram('rclone') }
if (!programs.apache || !programs.rclone) {
  skip('Apache or rclone is not installed: sudo apt-get install apache2 rclone')
}
report([
  ...(await synchronizeThrough('Apache', await apache(programs.apache))),
  ...(await synchronizeThrough('rclone', await rclone(programs.rclone)))
])

async function synchronizeThrough(name: string, server: WebdavServer): Promise<Figure[]> {
  await server.start()
  const place = (password: string) => ['webdav', server.address, '--user', 'ada', '--password', password]
  const group = await Group.create([place('secret'), place('secret')])
  const { one, two, machines } = group
  for (let round = 0; round < ROUNDS; round++) {
    await server.start()
    await group.start()
    const working = machines.flatMap((machine) => [machine.savePages(round), machine.syncNow().catch(() => {})])
    await group.anotherPage()
    await sleep(random.share() * 500)
    await server.end('SIGKILL')
    await sleep(random.share() * 200)
    for (const machine of machines) await machine.end(random.share() < 0.5 ? 'SIGKILL' : 'SIGTERM')
    await Promise.all(working)
  }
  const { size } = group.acknowledged
  await server.start()
  for (const machine of [one, two, one]) {
    if (options.plant) {
      // rclone caches what is in a folder, so it does not run meanwhile.
      await server.end('SIGTERM')
      loseNewest(join(server.folder, 'bookmarks'))
      await server.start()
    }
    await machine.syncCommand()
  }
  const comparison = await group.compare()
  await group.start()
  const arrival = await group.timeToArrive()
  await group.end('SIGTERM')
  const wrong = await runCommand(['sync', ...place('wrong'), '--json', '--data', tempFolder()], withoutKeychain)
  const isRefused = wrong.code === 1 && wrong.stdout.includes('user name and password')
  await server.end('SIGTERM')
  return [
    figure.atLeast('kills of a server', ROUNDS, 1),
    figure.atLeast('acknowledged inserts', size, ROUNDS),
    ...comparisonFigures(comparison),
    figure.atMost('a saved page shows on the other', arrival, 15, 's'),
    figure.zero('files that tell a title or an address', filesIn([server.folder]).filter(isReadable).length),
    figure.zero('wrong passwords that are not refused as such', isRefused ? 0 : 1)
  ].map((figure) => ({ ...figure, what: `${name}: ${figure.what}` }))
}

/** A real WebDAV server, for the user ada with the password secret. */
interface WebdavServer {
  /** The address of the shared folder. */
  address: string
  /** The folder with the server's files. */
  folder: string
  /** Starts the server, unless it runs. */
  start(): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
}

/** Requires the password with every request (RFC 7617). */
async function rclone(program: string): Promise<WebdavServer> {
  const folder = tempFolder()
  const port = await freePort()
  mkdirSync(join(folder, 'bookmarks'))
  const login = ['--user', 'ada', '--pass', 'secret', '--config', join(tempFolder(), 'rclone.conf')]
  return server(folder, port, program, ['serve', 'webdav', folder, '--addr', `127.0.0.1:${port}`, ...login])
}

/** Has the client prove the password without sending it (RFC 7616). */
async function apache(program: string): Promise<WebdavServer> {
  // Other users have no access to folders below a temporary folder of root.
  const [folder, home] = [tempFolder('/tmp'), tempFolder('/tmp')]
  const port = await freePort()
  const [bookmarks, users] = [join(folder, 'bookmarks'), join(home, 'users')]
  mkdirSync(bookmarks)
  writeFileSync(users, `ada:dav:${createHash('md5').update('ada:dav:secret').digest('hex')}\n`)
  // Apache does not run as root, and this process may have a umask that keeps other users out.
  if (userInfo().uid === 0) for (const path of [folder, bookmarks, home, users]) chownSync(path, NOBODY, NOBODY)
  const configuration = join(home, 'apache.conf')
  writeFileSync(
    configuration,
    `ServerRoot ${home}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${home}/pid
ErrorLog ${home}/log
User nobody
Group nogroup
${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
DocumentRoot ${folder}
DavLockDB ${home}/lock
<Location />
  Dav On
  AuthType Digest
  AuthName dav
  AuthDigestProvider file
  AuthUserFile ${home}/users
  Require valid-user
</Location>
`
  )
  return server(folder, port, program, ['-f', configuration, '-DFOREGROUND'])
}

function server(folder: string, port: number, program: string, args: string[]): WebdavServer {
  let end: WebdavServer['end'] | undefined
  return {
    address: `http://127.0.0.1:${port}/bookmarks`,
    folder,
    async start() {
      if (end) return
      // A group of its own: Apache's processes outlive the first when that is killed.
      const child = spawn(program, args, { stdio: 'ignore', detached: true })
      const ended = endWithUs(child)
      end = async (signal) => {
        end = undefined
        process.kill(-(child.pid ?? 0), signal)
        await ended
      }
      // Before the harness removes the folder.
      process.prependOnceListener('exit', () => void end?.('SIGKILL'))
      if (!(await until(() => isOpen(port), 10_000, 50))) throw new Error(`${program} does not serve.`)
    },
    end: async (signal) => end?.(signal)
  }
}

function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
