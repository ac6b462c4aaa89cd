// electron -r recorder.cjs .: on the real runtime the app's doings are kept as the stand-in keeps them, with no hook in
// the product. Message boxes wait for a test too: nobody is there to press their buttons.
const { app, Tray, Menu, dialog, globalShortcut, shell } = require('electron')

const recorded = {
  trayMenu: null,
  tray: null,
  applicationMenu: null,
  opened: [],
  shortcuts: new Map(),
  takenShortcuts: new Set((process.env.STAND_IN_TAKEN_SHORTCUTS ?? '').split(' ').filter(Boolean)),
  dialogs: [],
  protocols: [],
  loginItem: null,
  dock: true,
  dictionaries: [],
  blank: [],
  contextMenu: null,
  answers: [],
  copiedElsewhere: null
}
globalThis.recorded = recorded

const { setContextMenu } = Tray.prototype
Tray.prototype.setContextMenu = function (menu) {
  recorded.trayMenu = menu
  recorded.tray = { click: () => this.emit('click') }
  return setContextMenu.call(this, menu)
}
const { destroy } = Tray.prototype
Tray.prototype.destroy = function () {
  recorded.trayMenu = null
  recorded.tray = null
  return destroy.call(this)
}
const setApplicationMenu = Menu.setApplicationMenu.bind(Menu)
Menu.setApplicationMenu = (menu) => {
  recorded.applicationMenu = menu
  setApplicationMenu(menu)
}
const setAsDefaultProtocolClient = app.setAsDefaultProtocolClient.bind(app)
app.setAsDefaultProtocolClient = (protocol, ...rest) => {
  const taken = setAsDefaultProtocolClient(protocol, ...rest)
  if (taken) recorded.protocols.push(protocol)
  return taken
}
shell.openExternal = async (address) => void recorded.opened.push(address)
shell.openPath = async (path) => {
  recorded.opened.push(path)
  return ''
}
const register = globalShortcut.register.bind(globalShortcut)
globalShortcut.register = (accelerator, pressed) => {
  if (recorded.takenShortcuts.has(accelerator) || !register(accelerator, pressed)) return false
  recorded.shortcuts.set(accelerator, pressed)
  return true
}
dialog.showMessageBox = (...args) => {
  const { message, detail = '', buttons = [] } = args.at(-1)
  return new Promise((resolve) => {
    const press = (label) => resolve({ response: buttons.indexOf(label), checkboxChecked: false })
    recorded.dialogs.push({ message, detail, buttons, press })
  })
}
dialog.showMessageBoxSync = (...args) => {
  const { message, detail = '', buttons = [] } = args.at(-1)
  recorded.dialogs.push({ message, detail, buttons })
  return Math.max(0, buttons.indexOf(recorded.answers.shift() ?? buttons[0]))
}
const { popup } = Menu.prototype
Menu.prototype.popup = function (options) {
  recorded.contextMenu = this
  return popup.call(this, options)
}
