import { shell } from 'electron'

/** Opens a page in the system's browser. Any other scheme might start any program, and is ignored. */
export function openOutside(address: string): void {
  if (!URL.canParse(address)) return
  const { protocol, href } = new URL(address)
  if (protocol === 'http:' || protocol === 'https:') void shell.openExternal(href)
}
