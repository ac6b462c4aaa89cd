import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { endWithUs, tempFolder } from './support.ts'

/** A Syncthing that copies one folder to and from the others. */
export interface Syncthing {
  /** Starts it, if it does not run. */
  start(): void
  /** Ends it. Returns whether it ran. */
  end(signal: NodeJS.Signals): Promise<boolean>
}

/** One process each, without the one that watches it; and no measuring of what hashes faster, which takes a second. */
const ENV = { ...process.env, STMONITORED: 'yes', STHASHING: 'standard' }

/** Prepares a Syncthing for each folder. They know each other by addresses of this machine, and nobody else. */
export async function prepareSyncthings(program: string, folders: string[]): Promise<Syncthing[]> {
  const devices: Device[] = []
  for (const folder of folders) {
    const home = tempFolder()
    execFileSync(program, ['generate', '--home', home, '--no-default-folder', '--skip-port-probing'], { stdio: 'pipe' })
    const id = execFileSync(program, ['--home', home, '--device-id']).toString().trim()
    devices.push({ id, home, folder, address: `tcp://127.0.0.1:${await freePort()}` })
  }
  for (const device of devices) writeFileSync(join(device.home, 'config.xml'), configuration(device, devices))
  return devices.map(({ home }) => syncthing(program, home))
}

interface Device {
  id: string
  home: string
  folder: string
  address: string
}

function syncthing(program: string, home: string): Syncthing {
  let running: { child: ChildProcess; ended: Promise<unknown> } | undefined
  return {
    start() {
      if (running) return
      const command = ['serve', '--home', home, '--no-browser', '--no-restart', '--no-upgrade']
      const child = spawn(program, command, { env: ENV, stdio: 'ignore' })
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

/** Writes a configuration: no discovery, relay, report, upgrade or dashboard; whatever it does not name is as usual. */
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
