import { describe, expect, test, vi } from 'vitest'
import { MENU_TEXTS } from '../../src-main/desktop/menu-texts.ts'
import { applicationMenu, type MenuAct, type MenuFacts, trayMenu } from '../../src-main/desktop/menus.ts'

// Without its runtime the package throws when it is loaded. These tests need nothing of it.
vi.mock('electron', () => ({}))

const facts: MenuFacts = {
  texts: MENU_TEXTS.en,
  platform: 'linux',
  shortcut: 'CommandOrControl+Shift+Y',
  shortcutRefused: false,
  findShortcut: null,
  findShortcutRefused: false,
  launchAtLogin: false,
  tray: true
}
const PLATFORMS = ['linux', 'win32', 'darwin'] as const
type Item = ReturnType<typeof trayMenu>[number]

/** Every item, those of submenus too. */
function all(items: Item[]): Item[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])])
}

const click = (item: Item | undefined) => item?.click?.(undefined as never, undefined, undefined as never)

test.for(PLATFORMS)('the tray menu opens, captures, finds and quits on %s', (platform) => {
  const acts: MenuAct[] = []
  for (const item of trayMenu({ ...facts, platform }, (act) => acts.push(act))) click(item)
  expect(acts).toEqual(['show', 'capture', 'find', 'toggle-login', 'quit'])
})

test.for(PLATFORMS)('start at login is not offered on %s if the system cannot do it', (platform) => {
  const without = { ...facts, platform, launchAtLogin: null }
  const menus = [trayMenu(without, () => {}), applicationMenu(without, () => {})]
  for (const menu of menus) expect(all(menu).map(({ id }) => id)).not.toContain('toggle-login')
  expect(menus[0]?.map(({ id, type }) => id ?? type)).toEqual(['show', 'capture', 'find', 'separator', 'quit'])
})

describe('the application menu', () => {
  test('on macOS has the roles for copy and paste', () => {
    const menu = applicationMenu({ ...facts, platform: 'darwin' }, () => {})
    expect(all(menu).map(({ role }) => role)).toEqual(expect.arrayContaining(['cut', 'copy', 'paste', 'selectAll']))
    expect(menu.map((one) => one.label ?? one.role)).toEqual(['Earmark', '&File', '&Edit', '&View', '&Window'])
    expect(all(menu).find((one) => one.id === 'quit')?.accelerator).toBe('Command+Q')
  })

  test.for(['linux', 'win32'] as const)('begins with File on %s', (platform) => {
    const menu = applicationMenu({ ...facts, platform }, () => {})
    expect(menu.map((one) => one.label ?? one.role)).toEqual(['&File', '&Edit', '&View'])
    expect(all(menu).find((one) => one.id === 'quit')?.accelerator).toBe('Control+Q')
  })

  test.for(PLATFORMS)('has no developer tools on %s', (platform) => {
    const roles = all(applicationMenu({ ...facts, platform }, () => {})).map((one) => one.role)
    expect(roles).not.toContain('toggleDevTools')
    expect(roles).not.toContain('viewMenu')
  })
})

test.for([
  ['darwin', ['Command+[', 'Command+]']],
  ['linux', ['Alt+Left', 'Alt+Right']]
] as const)('goes back and forward on %s by the browser’s usual keys', ([platform, keys]) => {
  const acts: MenuAct[] = []
  const items = all(applicationMenu({ ...facts, platform }, (act) => acts.push(act)))
  const ways = items.filter(({ id }) => id === 'back' || id === 'forward')
  for (const item of ways) click(item)
  expect(ways.map(({ accelerator }) => accelerator)).toEqual(keys)
  expect(acts).toEqual(['back', 'forward'])
})

test('a working shortcut is shown but not registered by the menu', () => {
  const capture = trayMenu(facts, () => {}).find((one) => one.id === 'capture')
  expect(capture).toMatchObject({ accelerator: 'CommandOrControl+Shift+Y', registerAccelerator: false })
})

test('a refused shortcut is marked as refused', () => {
  const menu = trayMenu({ ...facts, shortcutRefused: true }, () => {})
  expect(menu.find((one) => one.id === 'capture')).toMatchObject({ accelerator: undefined })
  expect(menu.find((one) => one.id === 'refused')).toMatchObject({
    enabled: false,
    label: expect.stringContaining('Y')
  })
})

test('no shortcut shows neither keys nor a refusal', () => {
  const menu = trayMenu({ ...facts, shortcut: null }, () => {})
  expect(menu.find((one) => one.id === 'capture')).toMatchObject({ accelerator: undefined })
  expect(menu.find((one) => one.id === 'refused')).toBeUndefined()
})

test('quick find shows its own shortcut and its refusal', () => {
  const own = { ...facts, findShortcut: 'Super+F' }
  expect(trayMenu(own, () => {}).find((one) => one.id === 'find')).toMatchObject({ accelerator: 'Super+F' })
  const refused = trayMenu({ ...own, findShortcutRefused: true }, () => {})
  expect(refused.find((one) => one.id === 'find')).toMatchObject({ accelerator: undefined })
  expect(refused.find((one) => one.id === 'find-refused')?.label).toContain('Super+F')
})

test('the menus are in the chosen language', () => {
  const texts = { ...MENU_TEXTS.en, quit: 'Earmark beenden', view: '&Ansicht' }
  expect(trayMenu({ ...facts, texts }, () => {}).at(-1)?.label).toBe('Earmark beenden')
  expect(applicationMenu({ ...facts, texts }, () => {}).at(-1)?.label).toBe('&Ansicht')
})
