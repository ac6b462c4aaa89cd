/**
 * The security rules of the desktop that show in its sources. Each rule finds all lines of src-main/desktop that decide about one
 * part of security, and lists the lines that are allowed. A change of these lines belongs into this list after a review.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'

/** Sources by file name, without comments and imports. */
type Sources = Record<string, string>

const root = join(import.meta.dirname, '../..')
const desktop = join(root, 'src-main/desktop')
const real: Sources = Object.fromEntries(
  globSync('**/*.{ts,js}', { cwd: desktop }).map((path) => [basename(path), readFileSync(join(desktop, path), 'utf8')])
)
const builderConfig = readFileSync(join(root, 'electron-builder.json'), 'utf8')

interface Rule {
  pattern: RegExp
  /** The file that is searched; without it all are. */
  only?: string
  lines: Sources
}

/** Patterns of lines, and the allowed lines by file. */
const RULES: Record<string, Rule> = {
  'pages are isolated in a sandbox without Node': {
    pattern: /\b(contextIsolation|sandbox|webSecurity|nodeIntegration|webviewTag)\b/,
    lines: {
      'window-security.ts': `
        contextIsolation: true,
        sandbox: true,
        webSecurity: true,
        nodeIntegration: false,
        webviewTag: false,`
    }
  },
  'every window has the shared preferences and a guard': {
    pattern: /new (BrowserWindow|BaseWindow|WebContentsView|BrowserView)\(|\bwebPreferences\b|\bguard\(/,
    lines: {
      'capture-window.ts': `
        const window = new BrowserWindow({
        webPreferences: webPreferences('capture')
        guard(window.webContents, origin, 'ignore')`,
      'dashboard-window.ts': `
        guard(window.webContents, options.origin, 'follow')
        return new BrowserWindow({
        webPreferences: webPreferences('dashboard')`,
      'window-security.ts': `
        export function guard(contents: WebContents, origin: string, ours: 'follow' | 'ignore'): void {
        export function webPreferences(preload: 'dashboard' | 'capture'): WebPreferences {`
    }
  },
  'no setting opens a page to more': {
    pattern: new RegExp(
      'allowRunningInsecureContent|enableBlinkFeatures|experimentalFeatures|navigateOnDragDrop|' +
        'nodeIntegrationInSubFrames|nodeIntegrationInWorker|\\bwebview\\b'
    ),
    lines: {
      'window-security.ts': `contents.on('will-attach-webview', (event) => event.preventDefault())`
    }
  },
  'windows stay on our origin and open no others': {
    pattern: /stays\(|const stays|contents\.on\(|action: |setWindowOpenHandler|preventDefault/,
    only: 'window-security.ts',
    lines: {
      'window-security.ts': `
        const stays = (address: string) => URL.canParse(address) && new URL(address).origin === origin
        contents.on('will-navigate', (event) => {
        if (stays(event.url)) return
        event.preventDefault()
        contents.on('will-redirect', (event) => {
        if (!stays(event.url)) event.preventDefault()
        contents.on('will-frame-navigate', (event) => {
        if (!event.isMainFrame && !isInCopy && !stays(event.url)) event.preventDefault()
        contents.on('will-attach-webview', (event) => event.preventDefault())
        contents.setWindowOpenHandler(({ url }) => {
        if (stays(url)) {
        return { action: 'deny' }`
    }
  },
  'only web addresses and two editors’ links reach the system': {
    pattern: /openExternal|INSTALL_LINKS/,
    lines: {
      'window-security.ts': `
        const INSTALL_LINKS = ['vscode:mcp/install?', 'cursor://anysphere.cursor-deeplink/mcp/install?']
        if (protocol === 'http:' || protocol === 'https:') shell.openExternal(href).catch(ignoreMissingProgram)
        if (INSTALL_LINKS.some((link) => href.startsWith(link))) shell.openExternal(href).catch(ignoreMissingProgram)`
    }
  },
  'pages have no permissions': {
    pattern: /set\w*(Permission|Device)\w*Handler/,
    lines: {
      'login.ts': `
        store.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
        store.setPermissionCheckHandler(() => false)
        store.setDevicePermissionHandler(() => false)`
    }
  },
  'calls from pages arrive in one place': {
    pattern: /\bipcMain\b/,
    lines: { 'shell.ts': 'ipcMain.handle(channel, (event, ...given: unknown[]) => {' }
  },
  'a call is answered after its sender and its arguments are checked': {
    pattern: /comesFrom|safeParse|args\.success|answer\(|\bsender(Frame)?\b/,
    only: 'shell.ts',
    lines: {
      'shell.ts': `
        if (!comesFrom(event, window(), origin)) throw new Error(\`\${channel}: not for this sender\`)
        const args = schema.safeParse(given)
        if (!args.success) throw new Error(\`\${channel}: not these arguments\`)
        return answer(...args.data)
        function comesFrom({ sender, senderFrame }: IpcMainInvokeEvent, window: BrowserWindow | undefined, origin: string) {
        sender === window.webContents &&
        senderFrame !== null &&
        senderFrame === sender.mainFrame &&
        senderFrame.origin === origin`
    }
  },
  'preloads offer named functions on written channels': {
    // All uses of ipcRenderer but calls of a named channel, whose result or promise is all that a page gets.
    pattern: /exposeInMainWorld|\bipcRenderer\b(?!\.(invoke|on)\((CALLS|MESSAGES)\.\w+[,)])/,
    lines: {
      'preload-capture.ts': `contextBridge.exposeInMainWorld('earmarkCapture', bridge)`,
      'preload-dashboard.ts': `contextBridge.exposeInMainWorld('earmarkDesktop', bridge)`
    }
  },
  'windows load our own address without a secret': {
    pattern: /\b(loadURL|loadFile|executeJavaScript)\b/,
    lines: {
      'capture-window.ts': `void window.loadURL(\`\${origin}/capture\`).catch(() => window.isDestroyed() || window.destroy())`,
      'dashboard-window.ts': `void window.loadURL(options.origin).catch(() => {})`,
      'window-security.ts': `if (ours === 'follow') contents.loadURL(url).catch(() => {})`
    }
  },
  // A `persist:` partition writes it to disk as it is.
  'nothing is stored by a page': { pattern: /\b(sessionStorage|localStorage|indexedDB|caches)\b/, lines: {} }
}

const FUSES = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true
}

test.for(Object.entries(RULES))('%s', ([, rule]) => {
  expect(findLines(rule, real)).toEqual(trimAll(rule.lines))
})

test('the packaged app is no Node, runs no code from outside its archive, and checks the archive', () => {
  expect(JSON.parse(builderConfig)).toMatchObject({ asar: true, electronFuses: FUSES })
})

test.for<[file: string, from: string, to: string]>([
  ['window-security.ts', 'contextIsolation: true', 'contextIsolation: false'],
  ['window-security.ts', 'sandbox: true,', ''],
  ['window-security.ts', 'webviewTag: false', 'webviewTag: false, nodeIntegrationInWorker: true'],
  ['capture-window.ts', "webPreferences('capture')", "{ preload: 'x' }"],
  ['dashboard-window.ts', "webPreferences: webPreferences('dashboard')", ''],
  ['dashboard-window.ts', "guard(window.webContents, options.origin, 'follow')", ''],
  ['window-security.ts', "'will-redirect'", "'did-redirect'"],
  ['window-security.ts', '(event) => event.preventDefault()', '() => {}'],
  ['window-security.ts', '.origin === origin', '.href.startsWith(origin)'],
  ['window-security.ts', "action: 'deny'", "action: 'allow'"],
  ['window-security.ts', 'openOutside(url)', 'shell.openExternal(url)'],
  ['window-security.ts', "mcp/install?']", "mcp/install?', 'file:']"],
  ['login.ts', 'store.setDevicePermissionHandler(() => false)', ''],
  ['shell.ts', 'if (!comesFrom(event, window(), origin)) throw', 'if (!window()) throw'],
  ['shell.ts', 'senderFrame.origin === origin', 'senderFrame.origin.startsWith(origin)'],
  ['menus.ts', 'let tray:', "ipcMain.handle('x', () => 1)\n  let tray:"],
  ['preload-capture.ts', "'earmarkCapture', bridge", "'earmarkCapture', ipcRenderer"],
  ['preload-dashboard.ts', '(text) => ipcRenderer.invoke(CALLS.copyText, text)', 'ipcRenderer.invoke'],
  ['preload-dashboard.ts', 'invoke(CALLS.copyText, text)', 'invoke(text)'],
  ['preload-dashboard.ts', 'const bridge', "sessionStorage.setItem('a', 'b')\nconst bridge"],
  ['dashboard-window.ts', 'loadURL(options.origin)', 'loadURL(options.origin + token)']
])('in %s, %s as %j breaks a rule', ([file, from, to]) => {
  expect(real[file]).toContain(from)
  const planted = { ...real, [file]: real[file]?.replace(from, to) ?? '' }
  const broken = Object.values(RULES).filter(
    (rule) => !isDeepStrictEqual(findLines(rule, planted), trimAll(rule.lines))
  )
  expect(broken).not.toEqual([])
})

/** Returns the lines of each file that match. Comments and imports do not count. */
function findLines({ pattern, only }: Rule, sources: Sources): Record<string, string[]> {
  const found = Object.entries(sources)
    .filter(([file]) => only === undefined || file === only)
    .map(([file, text]) => {
      const code = text.replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*$|^import [^\n]*$/gms, '')
      const lines = code.split('\n').filter((line) => pattern.test(line))
      return [file, lines.join('\n')]
    })
  return trimAll(Object.fromEntries(found))
}

function trimAll(lines: Sources): Record<string, string[]> {
  const trimmed = Object.entries(lines).map(([file, text]): [string, string[]] => {
    const all = text.split('\n').map((line) => line.trim())
    return [file, all.filter((line) => line !== '')]
  })
  return Object.fromEntries(trimmed.filter(([, all]) => all.length > 0))
}
