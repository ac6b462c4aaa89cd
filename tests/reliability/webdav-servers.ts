import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { endWithUs, tempFolder } from './support.ts'
import { until } from './sync-machines.ts'

/** A WebDAV server of a real program, for the user ada with the password secret. */
export interface WebdavServer {
  /** Of the folder on it. */
  address: string
  /** Where its files are. */
  folder: string
  start(): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
}

/** Asks for the password with every request (RFC 7617). */
export async function rclone(program: string): Promise<WebdavServer> {
  const folder = tempFolder()
  const port = await freePort()
  mkdirSync(join(folder, 'bookmarks'))
  const login = ['--user', 'ada', '--pass', 'secret', '--config', join(tempFolder(), 'rclone.conf')]
  const command = ['serve', 'webdav', folder, '--addr', `127.0.0.1:${port}`, ...login]
  return server(folder, port, program, command)
}

/** Has the password proved without being sent (RFC 7616). */
export async function apache(program: string): Promise<WebdavServer> {
  const folder = tempFolder(OPEN)
  const home = tempFolder(OPEN)
  const port = await freePort()
  const bookmarks = join(folder, 'bookmarks')
  mkdirSync(bookmarks)
  const users = join(home, 'users')
  const proof = createHash('md5').update('ada:dav:secret').digest('hex')
  writeFileSync(users, `ada:dav:${proof}\n`)
  // Apache does not run as root, and this process may have a umask that keeps other users out.
  if (userInfo().uid === 0) for (const path of [folder, bookmarks, home, users]) chownSync(path, NOBODY, NOBODY)
  writeFileSync(join(home, 'apache.conf'), configuration(home, folder, port))
  return server(folder, port, program, ['-f', join(home, 'apache.conf'), '-DFOREGROUND'])
}

/** As Debian has it. Others may go through no folder of root's. */
const NOBODY = 65534
const OPEN = '/tmp'

const MODULES = ['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_digest', 'dav', 'dav_fs']

function configuration(home: string, folder: string, port: number): string {
  return `ServerRoot ${home}
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
}

function server(folder: string, port: number, program: string, command: string[]): WebdavServer {
  let end: WebdavServer['end'] | undefined
  return {
    address: `http://127.0.0.1:${port}/bookmarks`,
    folder,
    async start() {
      if (end) return
      // A group of its own: Apache's processes outlive the first when that is killed.
      const child = spawn(program, command, { stdio: 'ignore', detached: true })
      const ended = endWithUs(child)
      end = async (signal) => {
        end = undefined
        process.kill(-(child.pid ?? 0), signal)
        await ended
      }
      process.once('exit', () => void end?.('SIGKILL'))
      if (!(await until(() => answers(port), 10_000, 50))) throw new Error(`${program} does not serve.`)
    },
    end: async (signal) => end?.(signal)
  }
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
