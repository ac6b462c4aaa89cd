// Plain JavaScript without anything recent: its whole purpose is to run on a Node that is too old for the rest.
import { readFileSync } from 'node:fs'

/** Ends the process with one clear line where this Node is too old. */
export function requireNode() {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const needed = manifest.engines.node.replace('>=', '')
  const here = process.versions.node
  if (here.localeCompare(needed, 'en', { numeric: true }) >= 0) return
  console.error(`Earmark needs Node ${needed} or newer; this is ${here}. Install a newer one from https://nodejs.org.`)
  process.exit(1)
}
