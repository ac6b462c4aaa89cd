// node download-runtime.js FOLDER TIMEOUT: downloads the runtime for Electron's package in this folder into the cache that
// the package uses, compares its checksum with the one in the package, and has the package unpack it. Standard output says
// what could not be done.
import { execSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Most that one download may take. */
const DOWNLOAD_MS = 15 * 60_000

/** How often a download that breaks off is begun anew. */
const TRIES = 3

const { env } = process
const [, , folder = '', timeout] = process.argv
const { version } = readJson('package.json')
const mirror =
  env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? 'https://github.com/electron/electron/releases/download/'
const proxy = proxyFor(mirror)
const through = proxy ? ` through the proxy ${proxy}` : ''
// Makes @electron/get, once it is loaded, and fetch in all of this process ask through the proxy.
if (proxy) env.ELECTRON_GET_USE_PROXY = '1'
const { downloadArtifact } = createRequire(join(folder, 'package.json'))('@electron/get')

process.stdout.write((await download()) ?? '')

/** @returns {Promise<string | undefined>} what could not be done */
async function download() {
  if (!(await isReachable())) return `downloaded${through}`
  console.error(`Downloading the Electron ${version} runtime${through} (once, about 120 MB) ...`)
  for (let tried = 1; ; tried += 1) {
    try {
      await downloadOnce()
      break
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (tried === TRIES) return `downloaded${through}: ${message}`
      console.error(`The download was interrupted (${message}). Starting again ...`)
    }
  }
  const { status } = spawnSync(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: DOWNLOAD_MS
  })
  return status === 0 ? undefined : 'unpacked'
}

async function isReachable() {
  return fetch(`${mirror}v${version}/SHASUMS256.txt`, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(Number(timeout))
  }).then(
    (response) => response.status < 400,
    () => false
  )
}

/** Throws where the download breaks off, or its checksum is not the one that Electron's package has. */
async function downloadOnce() {
  await downloadArtifact({
    version,
    artifactName: 'electron',
    ...wantedBuild(),
    cacheRoot: env.electron_config_cache,
    mirrorOptions: { mirror },
    checksums: readJson('checksums.json'),
    downloadOptions: {
      quiet: true,
      signal: AbortSignal.timeout(DOWNLOAD_MS),
      getProgressCallback: progressShower()
    }
  })
}

/** Which build install.js of Electron's package unpacks: under Rosetta, Node for Intel is on an Apple processor. */
function wantedBuild() {
  const platform = env.ELECTRON_INSTALL_PLATFORM || env.npm_config_platform || process.platform
  const arch = env.ELECTRON_INSTALL_ARCH || env.npm_config_arch || process.arch
  const mayBeTranslated = platform === 'darwin' && process.platform === 'darwin' && arch === 'x64'
  if (mayBeTranslated && env.npm_config_arch === undefined && isTranslated()) return { platform, arch: 'arm64' }
  return { platform, arch }
}

function isTranslated() {
  try {
    return execSync('sysctl -in sysctl.proc_translated', { encoding: 'utf8' }).trim() === '1'
  } catch {
    return false
  }
}

/** Returns what shows a bar in a terminal, and elsewhere a line for each tenth. */
function progressShower() {
  let shown = -1
  const { stderr } = process
  return (/** @type {{ percent: number }} */ { percent }) => {
    const step = Math.floor(percent * (stderr.isTTY ? 100 : 10))
    if (step === shown) return
    shown = step
    if (!stderr.isTTY) return void stderr.write(`  ${step * 10} %\n`)
    const bar = '█'.repeat(Math.floor(step / 2.5)).padEnd(40, '░')
    stderr.write(`\r  ${bar} ${step} %${step === 100 ? '\n' : ''}`)
  }
}

/**
 * Returns the proxy that an address is asked through, without a password.
 *
 * @param {string} address
 * @returns {string | undefined}
 */
function proxyFor(address) {
  const given = address.startsWith('https:') ? (env.https_proxy ?? env.HTTPS_PROXY) : (env.http_proxy ?? env.HTTP_PROXY)
  if (!given || !URL.canParse(given)) return undefined
  const { protocol, host } = new URL(given)
  return `${protocol}//${host}`
}

/** @param {string} name of a file of Electron's package */
function readJson(name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}
