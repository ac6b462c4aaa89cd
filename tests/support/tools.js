// What the tests need beside npm packages: a Chromium and, on Linux, a keyring in a private D-Bus session.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PACKAGED_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
]
/** Those that load an extension from a folder: the shell without windows does not. */
const WITH_EXTENSIONS = ['chromium', 'chromium-browser']
const KEYRING = ['dbus-daemon', 'gnome-keyring-daemon']
const DEBIAN_PACKAGES = ['chromium-headless-shell', 'gnome-keyring', 'dbus']

/**
 * Finds everything, installing it where that is ours to do: on Debian, as root. Elsewhere it ends the process with one
 * line that says what to install.
 *
 * @returns {string} the browser's executable
 */
export function findTools() {
  if (!complete() && mayInstall()) install()
  const browser = findBrowser()
  if (browser && complete()) return browser
  console.error(
    'The tests need Chromium, and on Linux gnome-keyring and dbus. On Debian: sudo apt-get install ' +
      `${DEBIAN_PACKAGES.join(' ')}. A browser elsewhere can be named in CHROMIUM_PATH.`
  )
  process.exit(1)
}

/**
 * Finds a Chromium that loads extensions, installing it where that is ours to do, once and without waiting long.
 *
 * @returns {string | undefined} its executable; `undefined` where there is none
 */
export function findExtensionBrowser() {
  const find = () => WITH_EXTENSIONS.map(onPath).find((file) => file !== undefined && !isSnap(file))
  const found = find()
  if (found || !mayInstall()) return found
  console.log('Installing what the tests of the browser extension need: chromium')
  aptGet(['install', '-y', '-qq', '--no-install-recommends', 'chromium'])
  return find()
}

/**
 * Whether it is, or starts, a Chromium in a sandbox, which neither sees a test's folders nor starts our program.
 *
 * @param {string} file
 */
function isSnap(file) {
  return realpathSync(file).includes('/snap') || /^#!.*\/snap\//s.test(readFileSync(file, 'latin1').slice(0, 4096))
}

function complete() {
  return findBrowser() !== undefined && (process.platform !== 'linux' || KEYRING.every(onPath))
}

function findBrowser() {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined
  for (const name of BROWSERS) {
    const file = onPath(name)
    if (file) return file
  }
  return PACKAGED_BROWSERS.find((file) => existsSync(file))
}

/** @param {string} name */
function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function mayInstall() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0
}

function install() {
  console.log(`Installing what the tests need: ${DEBIAN_PACKAGES.join(', ')}`)
  aptGet(['update', '-qq'])
  aptGet(['install', '-y', '-qq', '--no-install-recommends', ...DEBIAN_PACKAGES])
}

/** @param {string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // A mirror that does not answer is given up soon.
  const patience = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15']
  spawnSync('apt-get', [...patience, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
}
