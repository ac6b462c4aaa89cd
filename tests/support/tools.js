// What the tests need beside npm packages: a Chromium and, on Linux, a keyring in a private D-Bus session.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PACKAGED_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
]
const KEYRING = ['dbus-daemon', 'gnome-keyring-daemon']
const DEBIAN_PACKAGES = ['chromium-headless-shell', 'gnome-keyring', 'dbus']

/**
 * Finds everything, installing it where that is ours to do: on Debian, as root. Elsewhere it ends the process with one
 * line that says what to install.
 *
 * @returns {string} the browser's executable
 */
export function findTools() {
  if (!complete() && existsSync('/etc/debian_version') && process.getuid?.() === 0) install()
  const browser = findBrowser()
  if (browser && complete()) return browser
  console.error(
    'The tests need Chromium, and on Linux gnome-keyring and dbus. On Debian: sudo apt-get install ' +
      `${DEBIAN_PACKAGES.join(' ')}. A browser elsewhere can be named in CHROMIUM_PATH.`
  )
  process.exit(1)
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

function install() {
  console.log(`Installing what the tests need: ${DEBIAN_PACKAGES.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env })
  const packages = ['install', '-y', '-qq', '--no-install-recommends', ...DEBIAN_PACKAGES]
  spawnSync('apt-get', packages, { stdio: ['ignore', 'ignore', 'inherit'], env })
}
