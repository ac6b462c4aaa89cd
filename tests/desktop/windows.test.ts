import { describe, expect, test } from 'vitest'
import { MENU_TEXTS } from '../../src-main/desktop/menu-texts.ts'
import { type Clicked, contextMenu, createCrashes, isOnWayland } from '../../src-main/desktop/window-rules.ts'

describe('a page whose process crashed', () => {
  test('reloads three times a minute, then asks', () => {
    let now = 0
    const next = createCrashes(() => now)
    expect(['crashed', 'oom', 'killed', 'crashed'].map(next)).toEqual(['reload', 'reload', 'reload', 'ask'])
    now += 61_000
    expect(next('crashed')).toBe('reload')
  })

  test('does not reload after a clean exit', () => {
    const next = createCrashes()
    expect(Array.from({ length: 9 }, () => next('clean-exit'))).toEqual(Array(9).fill('leave'))
    expect(next('crashed')).toBe('reload')
  })
})

describe('a right click', () => {
  const none = { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: false, canSelectAll: false }
  const plain: Clicked = {
    linkURL: '',
    isEditable: false,
    selectionText: '',
    editFlags: { ...none, canDelete: false, canEditRichly: false }
  }
  const flags = (on: Partial<Clicked['editFlags']>) => ({ ...plain.editFlags, ...on })
  const menuOf = (clicked: Partial<Clicked>) => {
    const done: string[] = []
    const acts = { openLink: (to: string) => done.push(`open ${to}`), copyText: (text: string) => done.push(text) }
    const items = contextMenu({ ...plain, ...clicked }, MENU_TEXTS.en, acts)
    for (const item of items) item.click?.(undefined as never, undefined, undefined as never)
    return { items, done, names: items.map((item) => item.role ?? item.id ?? item.type) }
  }

  test('on empty space opens no menu', () => {
    expect(menuOf({}).items).toEqual([])
    expect(menuOf({ selectionText: '  ' }).items).toEqual([])
  })

  test('in a field offers the possible edits', () => {
    const { items } = menuOf({ isEditable: true, editFlags: flags({ canPaste: true, canSelectAll: true }) })
    const can = items.flatMap(({ role, enabled }) => (role && enabled ? [role] : []))
    expect(can).toEqual(['paste', 'selectAll'])
    expect(items.flatMap(({ role }) => role ?? [])).toEqual(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'])
  })

  test('on selected text offers Copy', () => {
    const { items, names } = menuOf({ selectionText: 'some', editFlags: flags({ canCopy: true }) })
    expect(names).toEqual(['copy'])
    expect(items[0]?.enabled).toBe(true)
  })

  test('on a web link offers to open and copy it', () => {
    const { names, done } = menuOf({ linkURL: 'https://a.example/', selectionText: 'a' })
    expect(names).toEqual(['open-link', 'copy-link', 'separator', 'copy'])
    expect(done).toEqual(['open https://a.example/', 'https://a.example/'])
    expect(menuOf({ linkURL: 'javascript:alert(1)' }).items).toEqual([])
  })
})

test.for([
  ['linux', { XDG_SESSION_TYPE: 'wayland' }, [], true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, [], true],
  ['linux', { XDG_SESSION_TYPE: 'wayland' }, ['--ozone-platform=x11'], false],
  ['linux', { XDG_SESSION_TYPE: 'wayland' }, ['--ozone-platform=auto'], true],
  ['linux', { XDG_SESSION_TYPE: 'x11' }, ['--ozone-platform=wayland'], true],
  ['linux', { XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: '' }, [], false],
  ['darwin', { XDG_SESSION_TYPE: 'wayland' }, [], false]
] as const)('on %s with %j and %j, Wayland: %s', ([platform, env, args, on]) => {
  expect(isOnWayland(platform, env, [...args])).toBe(on)
})
