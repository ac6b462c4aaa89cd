import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A host that hangs is ended after so long, in milliseconds. */
const PATIENCE_MS = 90_000

/** Runs a program to its end, and gives all it wrote. */
export async function run(file: string, args: string[], env: NodeJS.ProcessEnv, cwd?: string) {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd !== undefined && { cwd }) })
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  return { code: code as number | null, output }
}
