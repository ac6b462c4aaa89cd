/** A hue for a site, always the same one, in degrees. */
export function hueOf(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) % 360
  return hash
}

/** Returns the letter shown for a site without an icon. */
export function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·').toUpperCase()
}

/** The address, if it is one that may be opened. Only http and https name a page. */
export function openable(url: string | null): string | undefined {
  return url !== null && /^https?:\/\//i.test(url) ? url : undefined
}
