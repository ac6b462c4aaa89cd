/**
 * Services of three machines, each with a folder that a Syncthing of its own copies to and from the others. Services and
 * Syncthings are killed while all save, and one Syncthing is stopped for a whole round now and then, so that its machine
 * saves apart. At the end all export the same, and have every page that any of them acknowledged.
 *
 * The planted fault removes the newest segment of each machine before the others have read it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/http.ts'
import { findProgram } from '../support/tools.ts'
import { endWithUs, figure, options, random, report, skip, tempFolder, until } from './harness.ts'
import { comparisonFigures, filesIn, Group, isReadable, loseNewest, type Machine, PAGES } from './machines.ts'

const ROUNDS = options.n(10)
const MACHINES = 3
/** Pause between two pages that a machine saves, in ms, so that there is time to copy them. */
const PAUSE_MS = 100
/** Limit for copying and reading everything at the end, also on a busy machine. */
const SETTLE_MS = options.plant ? 15_000 : 120_000

const program = await findProgram('syncthing')
if (!program) skip('Syncthing is not installed: sudo apt-get install syncthing')

const folders = Array.from({ length: MACHINES }, () => tempFolder())
const syncthings = await prepareSyncthings(program, folders)
for (const syncthing of syncthings) syncthing.start()
const group = await Group.create(folders)
const { one, two, machines } = group
let kills = 0

for (let round = 0; round < ROUNDS; round++) {
  const apart = round % 3 === 0 ? random.int(MACHINES) : undefined
  if (apart !== undefined) await syncthings[apart]?.end('SIGTERM')
  for (const [number, syncthing] of syncthings.entries()) if (number !== apart) syncthing.start()
  await group.start()
  const saving = machines.map((machine) => machine.savePages(round, PAUSE_MS))
  await Promise.all([...saving, ...killSome(machines), ...killSome(syncthings)])
}

await group.start()
if (options.plant) await loseLast(one)
for (const syncthing of syncthings) syncthing.start()
const begun = performance.now()
let comparison = await group.compare()
await until(async () => {
  comparison = await group.compare()
  return comparison.lost + comparison.differ === 0
}, SETTLE_MS)
const settledAfter = (performance.now() - begun) / 1000
const { size } = group.acknowledged
const arrivals = [await group.timeToArrive(one, two), await group.timeToArrive(two, one)]
await group.end('SIGKILL')

report([
  figure.atLeast('kills', kills, ROUNDS),
  figure.atLeast('acknowledged inserts', size, ROUNDS),
  ...comparisonFigures(comparison),
  figure.atMost('all have the same after', settledAfter, 60, 's'),
  figure.atMost('a saved page shows on the other', Math.max(...arrivals), 15, 's'),
  figure.zero('files in conflict', filesIn(folders).filter((file) => file.includes('.sync-conflict')).length),
  figure.zero('files that tell a title or an address', filesIn(folders).filter(isReadable).length)
])

/** Kills one process, and some others too, each at some moment while pages are saved. */
function killSome(all: { end(signal: NodeJS.Signals): Promise<boolean> }[]): Promise<void>[] {
  const victim = random.int(MACHINES)
  return all.map(async (process, number) => {
    const [isSpared, moment] = [number !== victim && random.share() > 0.3, random.share() * PAGES * PAUSE_MS]
    if (isSpared) return
    await sleep(moment)
    if (await process.end('SIGKILL')) kills += 1
  })
}

/** Plants the fault. */
async function loseLast(machine: Machine): Promise<void> {
  await syncthings[0]?.end('SIGTERM')
  await machine.savePage('https://sync-last.example/')
  await machine.syncNow()
  loseNewest(folders[0] ?? '')
}

/** A Syncthing that copies one folder to and from the others. */
interface Syncthing {
  /** Starts the process, unless it runs. */
  start(): void
  /** Ends the process. Returns whether it ran. */
  end(signal: NodeJS.Signals): Promise<boolean>
}

/** Prepares a Syncthing for each folder. They connect only to each other, at addresses of this machine. */
async function prepareSyncthings(program: string, folders: string[]): Promise<Syncthing[]> {
  const devices: Device[] = []
  for (const folder of folders) {
    const home = tempFolder()
    execFileSync(program, ['generate', '--home', home, '--no-default-folder', '--skip-port-probing'], { stdio: 'pipe' })
    const id = execFileSync(program, ['--home', home, '--device-id']).toString().trim()
    devices.push({ id, home, folder, address: `tcp://127.0.0.1:${await freePort()}` })
  }
  for (const device of devices) writeFileSync(join(device.home, 'config.xml'), configuration(device, devices))
  return devices.map(({ home }) => createSyncthing(program, home))
}

interface Device {
  id: string
  home: string
  folder: string
  address: string
}

function createSyncthing(program: string, home: string): Syncthing {
  let running: { child: ChildProcess; ended: Promise<unknown> } | undefined
  return {
    start() {
      if (running) return
      const args = ['serve', '--home', home, '--no-browser', '--no-restart', '--no-upgrade']
      // One process, without the one that watches it, and without measuring which hash is faster, which takes a second.
      const env = { ...process.env, STMONITORED: 'yes', STHASHING: 'standard' }
      const child = spawn(program, args, { env, stdio: 'ignore' })
      running = { child, ended: endWithUs(child) }
    },
    async end(signal) {
      if (!running) return false
      const { child, ended } = running
      running = undefined
      child.kill(signal)
      await ended
      return true
    }
  }
}

/** Turns off discovery, relays, reports, upgrades and the dashboard. All other settings have their usual values. */
function configuration(own: Device, all: Device[]): string {
  const known = all.map(({ id, address }) => `<device id="${id}" name="${id}"><address>${address}</address></device>`)
  return `<configuration version="36">
    <folder id="earmark" path="${own.folder}" rescanIntervalS="3600" fsWatcherEnabled="true" fsWatcherDelayS="1">
      ${all.map(({ id }) => `<device id="${id}"></device>`).join('')}
    </folder>
    ${known.join('')}
    <gui enabled="false"></gui>
    <options>
      <listenAddress>${own.address}</listenAddress>
      <globalAnnounceEnabled>false</globalAnnounceEnabled>
      <localAnnounceEnabled>false</localAnnounceEnabled>
      <relaysEnabled>false</relaysEnabled>
      <natEnabled>false</natEnabled>
      <stunKeepaliveStartS>0</stunKeepaliveStartS>
      <announceLANAddresses>false</announceLANAddresses>
      <crashReportingEnabled>false</crashReportingEnabled>
      <urAccepted>-1</urAccepted>
      <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
      <reconnectionIntervalS>1</reconnectionIntervalS>
    </options>
  </configuration>`
}
