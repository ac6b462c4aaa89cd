import { EventEmitter } from 'node:events'
import type * as E from 'electron'
import { recorded } from './recorded.ts'

/** An item of a menu; clicking it does what a person's click does. */
class MenuItem {
  readonly id: string
  readonly label: string
  readonly role: string
  readonly enabled: boolean
  readonly submenu: Menu | undefined
  checked: boolean
  private readonly template: E.MenuItemConstructorOptions

  constructor(template: E.MenuItemConstructorOptions) {
    this.template = template
    this.id = template.id ?? ''
    this.label = template.label ?? ''
    this.role = template.role ?? ''
    this.enabled = template.enabled !== false
    this.checked = template.checked === true
    this.submenu = Array.isArray(template.submenu) ? new Menu(template.submenu) : undefined
  }

  click() {
    if (!this.enabled) return
    if (this.template.type === 'checkbox') this.checked = !this.checked
    this.template.click?.(undefined as never, undefined, undefined as never)
  }
}

export class Menu {
  static buildFromTemplate(template: E.MenuItemConstructorOptions[]) {
    return new Menu(template)
  }

  static setApplicationMenu(menu: Menu | null) {
    recorded.applicationMenu = menu as unknown as E.Menu
  }

  readonly items: MenuItem[]

  constructor(template: E.MenuItemConstructorOptions[]) {
    this.items = template.map((one) => new MenuItem(one))
  }

  popup() {
    recorded.contextMenu = this as unknown as E.Menu
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

export class Tray extends EventEmitter {
  constructor(image: { path: string }) {
    super()
    if (!image.path) throw new Error('Failed to load image')
    recorded.tray = { click: () => void this.emit('click') }
  }

  setToolTip(_text: string) {}

  setContextMenu(menu: Menu | null) {
    recorded.trayMenu = menu as unknown as E.Menu
  }

  destroy() {
    recorded.tray = null
    recorded.trayMenu = null
  }
}
