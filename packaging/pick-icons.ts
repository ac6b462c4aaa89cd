import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The part of a bundler's plugin that is used here, which Rolldown and Vite share. */
interface TransformingPlugin {
  name: string
  enforce: 'pre'
  transform(code: string, id: string): { code: string; map: null } | undefined
}

/**
 * Replaces the names in `ui/icons/icons.ts` by the paths that Tabler Icons draw, so that a page gets these and no more of
 * the set. It comes from @iconify-json/tabler, which is 2 MB: @tabler/icons is 40 times that, a file an icon.
 *
 * @throws Error if there is no icon of that name, or it is not drawn with lines alone
 */
export function pickIcons(): TransformingPlugin {
  return {
    name: 'pick-icons',
    enforce: 'pre',
    transform: (code, id) =>
      /[\\/]ui[\\/]icons[\\/]icons\.ts$/.test(id)
        ? { code: code.replace(/\bicon\('([^']+)'\)/g, (_, name) => `icon(${pathsOf(name)})`), map: null }
        : undefined
  }
}

function pathsOf(name: string): string {
  icons ??= readIcons()
  const paths = Array.from(icons[name]?.body.matchAll(/<path [^>]*?\bd="([^"]+)"/g) ?? [], ([, path]) => `'${path}'`)
  if (paths.length === 0) throw new Error(`Tabler Icons have no outline “${name}”.`)
  return paths.join(', ')
}

let icons: Record<string, { body: string }> | undefined

function readIcons(): Record<string, { body: string }> {
  const file = fileURLToPath(import.meta.resolve('@iconify-json/tabler/icons.json'))
  return JSON.parse(readFileSync(file, 'utf8')).icons
}
