/**
 * Two services with the same bookmarks, through a folder on Apache and then one on rclone. Both save and synchronize, while
 * services and servers are killed. At the end both export the same, and hold every page that either acknowledged.
 *
 * The planted fault is a folder that loses the newest segment of a machine before the other has read it.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { randomFrom } from '../support/random.ts'
import { findProgram } from '../support/tools.ts'
import { below, type Figure, options, report, run, skip, tempFolder, tried } from './support.ts'
import {
  acknowledgedMore,
  beginSync,
  compare,
  exportOf,
  figuresOf,
  filesIn,
  joinSync,
  loseNewest,
  none,
  savePages,
  shownAfter,
  startMachine,
  tells
} from './sync-machines.ts'
import { apache, rclone, type WebdavServer } from './webdav-servers.ts'

const ROUNDS = options.n(10)
const LOGIN = ['--user', 'ada', '--password', 'secret']

const programs = { apache: await findProgram('apache2'), rclone: await findProgram('rclone') }
if (!programs.apache || !programs.rclone) {
  skip('webdav', 'Apache or rclone is not installed: sudo apt-get install apache2 rclone')
}
const next = randomFrom(options.seed)
const figures = [
  ...(await through('Apache', await apache(programs.apache))),
  ...(await through('rclone', await rclone(programs.rclone)))
]
report('webdav', figures)

async function through(name: string, server: WebdavServer): Promise<Figure[]> {
  await server.start()
  const place = ['webdav', server.address, ...LOGIN]
  const { data: one, code } = beginSync(place, 'one')
  const libraries = [one, joinSync(place, 'two', code)]
  const acknowledged = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    await server.start()
    const services = await Promise.all(libraries.map((data) => startMachine(data)))
    const working = services.flatMap(({ ask }, at) => [
      savePages(ask, at, round, acknowledged),
      ask('/sync-now', {}).catch(() => {})
    ])
    await acknowledgedMore(acknowledged)
    await setTimeout(next() * 500)
    await server.end('SIGKILL')
    await setTimeout(next() * 200)
    for (const service of services) await service.end(next() < 0.5 ? 'SIGKILL' : 'SIGTERM')
    await Promise.all(working)
  }
  await server.start()
  for (const data of [...libraries, one]) {
    if (options.plant) loseNewest(join(server.folder, 'bookmarks'))
    run(data, ['sync', 'now'])
  }
  const ended = compare(libraries.map(exportOf), acknowledged)
  const services = await Promise.all(libraries.map((data) => startMachine(data)))
  const [here, there] = services
  const shown = here && there ? await shownAfter(here, there) : Infinity
  for (const service of services) await service.end('SIGTERM')
  const found = [
    tried('kills of a server', ROUNDS, 1),
    tried('acknowledged inserts', acknowledged.size, ROUNDS),
    ...figuresOf(ended),
    below('a saved page shows on the other', shown, 15, 's'),
    none('files that tell a title or an address', filesIn([server.folder]).filter(tells).length),
    none('wrong passwords that are not refused as such', isRefused(server) ? 0 : 1)
  ]
  await server.end('SIGTERM')
  return found.map((figure) => ({ ...figure, what: `${name}: ${figure.what}` }))
}

function isRefused({ address }: WebdavServer): boolean {
  try {
    run(tempFolder(), ['sync', 'webdav', address, '--user', 'ada', '--password', 'wrong'])
    return false
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout).includes('user name and password')
  }
}
