import { OZONE } from './launch.ts'

/**
 * Whether Chromium runs on Wayland: since Electron 38 it does wherever the session is one, unless an argument says
 * otherwise (docs/breaking-changes.md).
 */
export function isOnWayland(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, args: string[]): boolean {
  if (platform !== 'linux') return false
  const chosen = args.findLast((one) => one.startsWith(OZONE))?.slice(OZONE.length)
  if (chosen !== undefined && chosen !== 'auto') return chosen === 'wayland'
  return env.XDG_SESSION_TYPE === 'wayland' || Boolean(env.WAYLAND_DISPLAY)
}
