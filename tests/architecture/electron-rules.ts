import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const root = join(import.meta.dirname, '../..')
const folder = 'src-main/desktop/'

/** A file of the desktop, or the packages' configuration, as the rules see it. */
export interface DesktopFile {
  path: string
  text: string
}

/** A rule of the desktop's security. Gives what breaks it, as `file: what`. */
export type ElectronRule = (files: DesktopFile[]) => string[]

export function readDesktop(): DesktopFile[] {
  const paths = globSync(`${folder}**/*.{ts,js}`, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  return [...paths, 'electron-builder.json'].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** A node of the ESTree that oxc builds. */
interface Node {
  type: string
  [property: string]: unknown
}

/** Every window has the one set of web preferences, with each of these as it must be. */
export const windowsAreIsolated: ElectronRule = (files) => {
  const required: Record<string, boolean> = {
    contextIsolation: true,
    sandbox: true,
    webSecurity: true,
    nodeIntegration: false,
    webviewTag: false
  }
  const settings = each(files, 'Property').filter(({ node }) => keyOf(node) in required)
  const wrong = settings.filter(({ node }) => literalOf(node) !== required[keyOf(node)])
  const given = new Set(
    settings.filter(({ file }) => file.path === `${folder}web-preferences.ts`).map(({ node }) => keyOf(node))
  )
  return [
    ...wrong.map(({ file, node }) => `${file.path}: ${keyOf(node)}`),
    ...Object.keys(required)
      .filter((key) => !given.has(key))
      .map((key) => `${folder}web-preferences.ts: no ${key}`),
    ...windows(files)
      .filter(({ node }) => !usesSharedPreferences(node))
      .map(({ file }) => `${file.path}: web preferences of its own`)
  ]
}

/** None of the settings that open a page up is named, whatever it is set to. */
export const nothingIsOpenedUp: ElectronRule = (files) => {
  const banned = [
    'allowRunningInsecureContent',
    'enableBlinkFeatures',
    'experimentalFeatures',
    'navigateOnDragDrop',
    'nodeIntegrationInSubFrames',
    'nodeIntegrationInWorker',
    'webview'
  ]
  return each(files, 'Property')
    .filter(({ node }) => banned.includes(keyOf(node)))
    .map(({ file, node }) => `${file.path}: ${keyOf(node)}`)
}

/** Each file that makes a window guards it; the guard stops each way of leaving that does not end on our exact origin. */
export const windowsStayHome: ElectronRule = (files) => {
  const unguarded = windows(files).filter(({ file }) => calls([file], 'guard').length === 0)
  const guard = files.filter(({ path }) => path === `${folder}guard.ts`)
  const missing = ['will-navigate', 'will-redirect', 'will-frame-navigate', 'will-attach-webview'].filter(
    (event) => !calls(guard, 'on').some(({ node }) => argument(node, 0)?.value === event && stops(guard, node))
  )
  const origins = each(guard, 'BinaryExpression').filter(({ node, file }) =>
    /\.origin === origin$/.test(source(file, node))
  )
  return [
    ...unguarded.map(({ file }) => `${file.path}: a window without a guard`),
    ...missing.map((event) => `${folder}guard.ts: ${event} is not stopped`),
    ...(origins.length === 0 ? [`${folder}guard.ts: the origin is not compared`] : [])
  ]
}

/** What must hold before something reaches the system: it is a web address, or an editor's link that installs Earmark. */
const MAY_OPEN = [
  "protocol === 'http:' || protocol === 'https:'",
  'INSTALL_LINKS.some((link) => href.startsWith(link))'
]

const INSTALL_LINKS = "['vscode:mcp/install?', 'cursor://anysphere.cursor-deeplink/mcp/install?']"

/** A page opens no window, and only web addresses and two editors' links reach the system. */
export const windowsAreDenied: ElectronRule = (files) => {
  const allowed = each(files, 'Property').filter(({ node }) => keyOf(node) === 'action' && literalOf(node) !== 'deny')
  const handled = calls(files, 'setWindowOpenHandler').some(({ file }) => file.path === `${folder}guard.ts`)
  const outside = calls(files, 'openExternal')
  const elsewhere = outside.filter(({ file }) => file.path !== `${folder}outside.ts`)
  const unchecked = outside.filter(({ file, node }) => {
    const check = each([file], 'IfStatement').find((one) => holds(one.node, node))
    return !check || !MAY_OPEN.includes(source(file, check.node.test as Node))
  })
  const links = each(files, 'VariableDeclarator').filter(
    ({ file, node }) =>
      source(file, node.id as Node) === 'INSTALL_LINKS' && source(file, node.init as Node) !== INSTALL_LINKS
  )
  return [
    ...allowed.map(({ file }) => `${file.path}: opens a window`),
    ...(handled ? [] : [`${folder}guard.ts: windows are not denied`]),
    ...elsewhere.map(({ file }) => `${file.path}: openExternal`),
    ...unchecked.map(({ file }) => `${file.path}: openExternal of any scheme`),
    ...links.map(({ file }) => `${file.path}: other links than those of editors`)
  ]
}

/** Pages have no permission: each handler is set, and says no whatever it is asked. */
export const permissionsAreDenied: ElectronRule = (files) => {
  const handlers: Record<string, RegExp> = {
    setPermissionRequestHandler: /=> answer\(false\)$/,
    setPermissionCheckHandler: /^\(\) => false$/,
    setDevicePermissionHandler: /^\(\) => false$/
  }
  return Object.entries(handlers).flatMap(([name, denies]) => {
    const found = calls(files, name)
    if (found.length === 0) return [`${name} is not called`]
    return found
      .filter(({ file, node }) => !denies.test(source(file, argument(node, 0))))
      .map(({ file }) => `${file.path}: ${name} allows`)
  })
}

/** Calls from pages arrive in one place, which looks at who sent them and what they hold before it does anything. */
export const callsAreChecked: ElectronRule = (files) => {
  const at = `${folder}answer-calls.ts`
  const elsewhere = named(files, 'ipcMain').filter(({ file }) => file.path !== at)
  const handles = calls(files, 'handle').filter(({ file, node }) => source(file, node).startsWith('ipcMain.handle('))
  const unchecked = handles.filter(({ file, node }) => {
    const text = source(file, node)
    const order = ['if (!comesFrom(', '.safeParse(given)', 'return work('].map((one) => text.indexOf(one))
    return order.includes(-1) || order.join() !== order.toSorted((a, b) => a - b).join()
  })
  const others = each(files, 'MemberExpression').filter(({ file, node }) =>
    /^ipcMain\.(on|once|addListener|handleOnce)$/.test(source(file, node))
  )
  const answers = files.filter(({ path }) => path === at)
  const lax = [
    'sender === window.webContents',
    'senderFrame === sender.mainFrame',
    'senderFrame.origin === origin'
  ].filter((check) => !each(answers, 'BinaryExpression').some(({ file, node }) => source(file, node) === check))
  return [
    ...elsewhere.map(({ file }) => `${file.path}: ipcMain`),
    ...unchecked.map(({ file }) => `${file.path}: a call is not checked`),
    ...others.map(({ file, node }) => `${file.path}: ${source(file, node)}`),
    ...(handles.length === 0 ? [`${at}: no calls`] : []),
    ...lax.map((check) => `${at}: without ${check}`)
  ]
}

/** Preloads hand out named functions, never a way to name a channel; and call only channels that are written down. */
export const preloadsOfferNamesOnly: ElectronRule = (files) => {
  const preloads = files.filter(({ path }) => path.startsWith(`${folder}preload-`))
  const handedOut = calls(preloads, 'exposeInMainWorld').filter(
    ({ file, node }) => source(file, argument(node, 1)) !== 'bridge'
  )
  const raw = each(preloads, 'Property').filter(({ file, node }) =>
    /\bipcRenderer(\.(invoke|send|on))?$/.test(source(file, node.value as Node))
  )
  const free = each(preloads, 'CallExpression').filter(
    ({ file, node }) =>
      /^ipcRenderer\.\w+$/.test(source(file, node.callee as Node)) &&
      !/^(ASK|TELL)\.\w+$/.test(source(file, argument(node, 0)))
  )
  const elsewhere = files.filter(({ path }) => !preloads.some((one) => one.path === path))
  return [
    ...handedOut.map(({ file, node }) => `${file.path}: exposes ${source(file, argument(node, 1))}`),
    ...raw.map(({ file }) => `${file.path}: hands out ipcRenderer`),
    ...free.map(({ file, node }) => `${file.path}: ${source(file, argument(node, 0))}`),
    ...named(elsewhere, 'ipcRenderer').map(({ file }) => `${file.path}: ipcRenderer`)
  ]
}

/** Windows load our own address and nothing else: no file, and no secret in it. A link's is looked at first. */
export const windowsLoadTheService: ElectronRule = (files) => [
  ...calls(files, 'loadURL')
    .filter(({ file, node }) => !/^(options\.origin|`\$\{origin\}\/capture`)$/.test(source(file, argument(node, 0))))
    .filter(({ file, node }) => {
      const check = each([file], 'IfStatement').find((one) => holds(one.node.consequent as Node, node))
      return file.path !== `${folder}guard.ts` || !check || source(file, check.node.test as Node) !== 'stays(url)'
    })
    .map(({ file, node }) => `${file.path}: ${source(file, argument(node, 0))}`),
  ...[...calls(files, 'loadFile'), ...calls(files, 'executeJavaScript')].map(({ file }) => `${file.path}: loads code`)
]

/** What a page of a `persist:` partition stores is written to disk as it is: no preload stores anything. */
export const nothingIsStored: ElectronRule = (files) => {
  const preloads = files.filter(({ path }) => path.startsWith(`${folder}preload-`))
  const stores = ['sessionStorage', 'localStorage', 'indexedDB', 'caches', 'cookie']
  return stores.flatMap((name) => named(preloads, name).map(({ file }) => `${file.path}: ${name}`))
}

/** The packaged app is no Node, takes no code from outside its archive, and notices a changed archive. */
export const fusesAreSet: ElectronRule = (files) => {
  const file = files.find(({ path }) => path === 'electron-builder.json')
  const config = JSON.parse(file?.text ?? '{}') as { asar?: unknown; electronFuses?: Record<string, unknown> }
  const required: Record<string, boolean> = {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true
  }
  const wrong = Object.keys(required).filter((fuse) => config.electronFuses?.[fuse] !== required[fuse])
  return [...wrong, ...(config.asar === true ? [] : ['asar'])].map((fuse) => `electron-builder.json: ${fuse}`)
}

interface Found {
  file: DesktopFile
  node: Node
}

const parsed = new Map<string, Node[]>()

/** Every node of a type. */
function each(files: DesktopFile[], type: string): Found[] {
  return files
    .filter(({ path }) => /\.[jt]s$/.test(path))
    .flatMap((file) =>
      nodesOf(file)
        .filter((node) => node.type === type)
        .map((node) => ({ file, node }))
    )
}

function nodesOf({ path, text }: DesktopFile): Node[] {
  const known = parsed.get(path + text)
  if (known) return known
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const nodes: Node[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (typeof value === 'object' && value !== null) {
      if ('type' in value && typeof value.type === 'string') nodes.push(value as Node)
      for (const child of Object.values(value)) visit(child)
    }
  }
  visit(program.body)
  parsed.set(path + text, nodes)
  return nodes
}

/** Calls of a function or method with this name. */
function calls(files: DesktopFile[], name: string): Found[] {
  return each(files, 'CallExpression').filter(({ node }) => {
    const callee = node.callee as Node
    return callee.name === name || (callee.property as Node | undefined)?.name === name
  })
}

/** Uses of a name that is no property's. */
function named(files: DesktopFile[], name: string): Found[] {
  return each(files, 'Identifier').filter(({ node }) => node.name === name)
}

function windows(files: DesktopFile[]): Found[] {
  return each(files, 'NewExpression').filter(({ node }) =>
    ['BrowserWindow', 'BaseWindow', 'WebContentsView', 'BrowserView'].includes(String((node.callee as Node).name))
  )
}

function usesSharedPreferences(node: Node): boolean {
  const properties = (argument(node, 0)?.properties ?? []) as Node[]
  const own = properties.find((one) => one.type === 'Property' && keyOf(one) === 'webPreferences')
  const value = own?.value as Node | undefined
  return value?.type === 'CallExpression' && (value.callee as Node).name === 'webPreferences'
}

/** Whether what is done about an event can stop it. */
function stops(files: DesktopFile[], call: Node): boolean {
  const [file] = files
  return file !== undefined && source(file, argument(call, 1)).includes('event.preventDefault()')
}

function holds(outer: Node, inner: Node): boolean {
  return Number(outer.start) <= Number(inner.start) && Number(inner.end) <= Number(outer.end)
}

function argument(node: Node, index: number): Node | undefined {
  return (node.arguments as Node[] | undefined)?.[index]
}

function keyOf(node: Node): string {
  const key = node.key as Node
  return String(key.name ?? key.value ?? '')
}

function literalOf(node: Node): unknown {
  return (node.value as Node).value
}

function source({ text }: DesktopFile, node: Node | undefined): string {
  return node ? text.slice(Number(node.start), Number(node.end)) : ''
}
