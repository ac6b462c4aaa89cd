import { expect, test } from 'vitest'
import {
  callsAreChecked,
  type ElectronRule,
  fusesAreSet,
  nothingIsOpenedUp,
  nothingIsStored,
  permissionsAreDenied,
  preloadsOfferNamesOnly,
  readDesktop,
  windowsAreDenied,
  windowsAreIsolated,
  windowsLoadTheService,
  windowsStayHome
} from './electron-rules.ts'

const files = readDesktop()

/** What a rule says once a piece of a real file reads otherwise. */
function planted(rule: ElectronRule, name: string, from: string, to: string): string[] {
  const path = name.includes('.json') ? name : `src-main/desktop/${name}`
  const real = files.find((file) => file.path === path)
  if (!real?.text.includes(from)) throw new Error(`${path} does not hold ${from}`)
  return rule([...files.filter((file) => file !== real), { path, text: real.text.replace(from, to) }])
}

const RULES = {
  windowsAreIsolated,
  nothingIsOpenedUp,
  nothingIsStored,
  windowsStayHome,
  windowsAreDenied,
  permissionsAreDenied,
  callsAreChecked,
  preloadsOfferNamesOnly,
  windowsLoadTheService,
  fusesAreSet
}

test('the whole desktop is read', () => {
  expect(files.length).toBeGreaterThan(20)
})

test.for(Object.entries(RULES))('%s holds', ([, rule]) => {
  expect(rule(files)).toEqual([])
})

const FAULTS: [rule: ElectronRule, name: string, from: string, to: string][] = [
  [windowsAreIsolated, 'window-security.ts', 'contextIsolation: true', 'contextIsolation: false'],
  [windowsAreIsolated, 'window-security.ts', 'sandbox: true,', ''],
  [windowsAreIsolated, 'window-security.ts', 'sandbox: true', 'sandbox: process.argv.length > 5'],
  [windowsAreIsolated, 'window-security.ts', 'webSecurity: true', 'webSecurity: false'],
  [windowsAreIsolated, 'window-security.ts', 'nodeIntegration: false', 'nodeIntegration: true'],
  [windowsAreIsolated, 'window-security.ts', 'webviewTag: false', 'webviewTag: true'],
  [windowsAreIsolated, 'capture-window.ts', "webPreferences('capture')", "{ preload: 'x' }"],
  [windowsAreIsolated, 'dashboard-window.ts', "webPreferences: webPreferences('dashboard')", ''],
  [nothingIsOpenedUp, 'window-security.ts', 'webviewTag: false', 'webviewTag: false, nodeIntegrationInWorker: true'],
  [nothingIsOpenedUp, 'window-security.ts', 'webviewTag: false', "webviewTag: false, enableBlinkFeatures: 'x'"],
  [windowsStayHome, 'capture-window.ts', "guard(window.webContents, origin, 'ignore')", ''],
  [windowsStayHome, 'dashboard-window.ts', "guard(window.webContents, options.origin, 'follow')", ''],
  [windowsStayHome, 'window-security.ts', "'will-navigate'", "'did-navigate'"],
  [windowsStayHome, 'window-security.ts', "'will-redirect'", "'did-redirect'"],
  [windowsStayHome, 'window-security.ts', "'will-frame-navigate'", "'did-frame-navigate'"],
  [windowsStayHome, 'window-security.ts', '(event) => event.preventDefault()', '() => {}'],
  [windowsStayHome, 'window-security.ts', '.origin === origin', '.href.startsWith(origin)'],
  [windowsAreDenied, 'window-security.ts', "action: 'deny'", "action: 'allow'"],
  [windowsAreDenied, 'window-security.ts', "action: 'deny'", 'action: url ? "deny" : "allow"'],
  [windowsAreDenied, 'window-security.ts', 'setWindowOpenHandler', 'setSomething'],
  [windowsAreDenied, 'window-security.ts', "protocol === 'http:' || protocol === 'https:'", "protocol !== 'file:'"],
  [windowsAreDenied, 'window-security.ts', 'href.startsWith(link)', 'href.includes(link)'],
  [windowsAreDenied, 'window-security.ts', "'vscode:mcp/install?'", "'vscode:'"],
  [windowsAreDenied, 'window-security.ts', "mcp/install?']", "mcp/install?', 'file:']"],
  [windowsAreDenied, 'window-security.ts', 'openOutside(url)', 'shell.openExternal(url)'],
  [permissionsAreDenied, 'login.ts', 'answer(false)', 'answer(true)'],
  [permissionsAreDenied, 'login.ts', 'setPermissionCheckHandler(() => false)', 'setPermissionCheckHandler(() => true)'],
  [permissionsAreDenied, 'login.ts', 'store.setPermissionCheckHandler(() => false)', ''],
  [permissionsAreDenied, 'login.ts', 'store.setDevicePermissionHandler(() => false)', ''],
  [callsAreChecked, 'answer-calls.ts', 'if (!comesFrom(event, from(), origin)) throw', 'if (!from()) throw'],
  [callsAreChecked, 'answer-calls.ts', 'args.safeParse(given)', '({ success: true, data: given as A })'],
  [callsAreChecked, 'answer-calls.ts', 'senderFrame === sender.mainFrame', 'senderFrame !== undefined'],
  [callsAreChecked, 'answer-calls.ts', 'senderFrame.origin === origin', 'senderFrame.origin.startsWith(origin)'],
  [callsAreChecked, 'answer-calls.ts', 'sender === window.webContents', 'sender !== undefined'],
  [callsAreChecked, 'answer-calls.ts', 'ipcMain.handle(channel', 'ipcMain.on(channel'],
  [callsAreChecked, 'create-menus.ts', 'let tray:', "ipcMain.handle('x', () => 1)\n  let tray:"],
  [preloadsOfferNamesOnly, 'preload-capture.ts', "'earmarkCapture', bridge", "'earmarkCapture', ipcRenderer"],
  [preloadsOfferNamesOnly, 'preload-dashboard.ts', 'invoke(ASK.copyText, text)', 'invoke(text)'],
  [
    preloadsOfferNamesOnly,
    'preload-dashboard.ts',
    '(text) => ipcRenderer.invoke(ASK.copyText, text)',
    'ipcRenderer.invoke'
  ],
  [nothingIsStored, 'preload-dashboard.ts', 'const bridge', "sessionStorage.setItem('a', 'b')\nconst bridge"],
  [windowsLoadTheService, 'dashboard-window.ts', 'loadURL(options.origin)', 'loadURL(options.origin + token)'],
  [windowsLoadTheService, 'capture-window.ts', 'window.loadURL(', 'window.loadFile('],
  [windowsLoadTheService, 'window-security.ts', 'if (stays(url)) {', 'if (url) {'],
  ...(
    [
      ['"runAsNode": false', '"runAsNode": true'],
      ['"enableNodeOptionsEnvironmentVariable": false', '"enableNodeOptionsEnvironmentVariable": true'],
      ['"enableNodeCliInspectArguments": false,', ''],
      ['"enableEmbeddedAsarIntegrityValidation": true', '"enableEmbeddedAsarIntegrityValidation": false'],
      ['"onlyLoadAppFromAsar": true', '"onlyLoadAppFromAsar": false'],
      ['"asar": true', '"asar": false']
    ] as const
  ).map(([from, to]): [ElectronRule, string, string, string] => [fusesAreSet, 'electron-builder.json', from, to])
]

test.for(FAULTS)('%o in %s: %s as %j is caught', ([rule, name, from, to]) => {
  expect(planted(rule, name, from, to)).not.toEqual([])
})
