/**
 * Returns the effect of closing the window. It only hides if a tray shows that Earmark still runs, and on macOS, where
 * the dock does; anywhere else nobody could bring it back, so it quits.
 */
export function onClosing(facts: { platform: NodeJS.Platform; tray: boolean; quitting: boolean }): 'hide' | 'quit' {
  if (facts.quitting) return 'quit'
  return facts.tray || facts.platform === 'darwin' ? 'hide' : 'quit'
}

/**
 * Whether a tray icon will be seen. On Linux the desktop decides and no program can ask: GNOME shows none without an
 * extension, which Ubuntu has.
 */
export function trayShows(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true
  const desktops = (env.XDG_CURRENT_DESKTOP ?? '').toLowerCase().split(':')
  return desktops.includes('ubuntu') || desktops.some((name) => WITH_TRAY.includes(name))
}

const WITH_TRAY = ['budgie', 'cinnamon', 'deepin', 'kde', 'lxde', 'lxqt', 'mate', 'unity', 'x-cinnamon', 'xfce']
