/** Texts about settings of the desktop app. */
export const desktop = {
  title: 'Desktop app',
  failed: 'The desktop app does not answer.',
  notTaken: 'The system did not accept this setting.',
  launch: 'Start at login',
  launchText: 'Earmark starts without its window when you log in.',
  launchTextMac:
    'Earmark starts without its window when you log in. macOS may refuse this without a message while Earmark is not signed.',
  inMenu: 'Show in the applications menu',
  inMenuText: 'Adds Earmark to this desktop’s menu. Links that begin with earmark:// and global shortcuts need this.',
  tray: 'Keep in the tray',
  trayMac: 'Show in the menu bar',
  trayText:
    'Earmark keeps running when you close the window, so your editors stay connected. Not every desktop shows a tray.',
  trayMacText: 'Its menu opens the window and quick capture.',
  shortcut: 'Quick capture',
  shortcutText: 'These keys open it from any program.',
  find: 'Quick find',
  findText: 'These keys open it from any program. In quick capture, press / or Ctrl-K.',
  shortcutByDesktop:
    'These keys open quick capture from any program. Your desktop may ask you to allow them; you can change them in its ' +
    'settings. The desktop also decides where the window opens and whether it gets the focus.',
  none: 'None',
  change: 'Change keys',
  remove: 'Remove keys',
  press: 'Press the keys, or Esc to cancel',
  alone: 'Hold Ctrl, Alt or the Super (Windows, ⌘) key and press another key. Or press a function key.',
  unknown: 'This key cannot be used.',
  refused: 'The desktop refuses these keys: another program may have them. Choose others.',
  keys: { Control: 'Ctrl', Super: 'Super', Alt: 'Alt', Shift: 'Shift' },
  keysMac: { Control: '⌃', Command: '⌘', Alt: '⌥', Shift: '⇧' }
}
