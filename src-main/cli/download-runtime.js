// node download-runtime.js FOLDER TIMEOUT: downloads the runtime for Electron's package in this folder into the
// package's own cache, compares its checksum with the one in the package, and lets the package unpack it. Writes the
// step that failed to standard output.
import { execSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ProgressBar from 'progress'

/** Maximum time of a download, in ms. */
const DOWNLOAD_MS = 15 * 60_000

const TRIES = 3

const { env } = process
const [, , folder = '', timeout] = process.argv
const { version } = readJson('package.json')
const mirror =
  env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? 'https://github.com/electron/electron/releases/download/'
const proxy = proxyFor(mirror)
const through = proxy ? ` through the proxy ${proxy}` : ''
// Makes fetch and @electron/get, once it is loaded, use the proxy.
if (proxy) env.ELECTRON_GET_USE_PROXY = '1'
const { downloadArtifact } = createRequire(join(folder, 'package.json'))('@electron/get')

process.stdout.write((await download()) ?? '')

/** @returns {Promise<string | undefined>} what could not be done */
async function download() {
  if (!(await isReachable())) return `downloaded${through}`
  console.error(`Downloading the Electron ${version} runtime${through} (once, about 120 MB) ...`)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await downloadOnce()
      break
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (attempt === TRIES) return `downloaded${through}: ${message}`
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

/** Throws if the download is interrupted, or its checksum differs from the one in Electron's package. */
async function downloadOnce() {
  await downloadArtifact({
    version,
    artifactName: 'electron',
    ...requestedBuild(),
    cacheRoot: env.electron_config_cache,
    mirrorOptions: { mirror },
    checksums: readJson('checksums.json'),
    downloadOptions: {
      quiet: true,
      signal: AbortSignal.timeout(DOWNLOAD_MS),
      getProgressCallback: progressReporter()
    }
  })
}

/** The build that install.js of Electron's package unpacks: under Rosetta, Node for Intel runs on an Apple processor. */
function requestedBuild() {
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

/** Draws a bar in a terminal, and elsewhere prints a line for each 10 %. */
function progressReporter() {
  const { stderr } = process
  const bar = new ProgressBar('  [:bar] :percent', { total: 100, width: 40, stream: stderr })
  let tenths = -1
  return (/** @type {{ percent: number }} */ { percent }) => {
    if (stderr.isTTY && !bar.complete) bar.update(percent)
    if (stderr.isTTY || Math.floor(percent * 10) === tenths) return
    tenths = Math.floor(percent * 10)
    stderr.write(`  ${tenths * 10} %\n`)
  }
}

/**
 * Returns the proxy for an address, without its password.
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
