import { standardInput } from '../../host/standard-input.ts'
import type { CommandProcess } from '../command.ts'
import { createStdioBridge, type FindTarget } from './carry.ts'

/** Messages that are read before one of them is answered. A host that sends more waits to write them. */
const MAX_UNDER_WAY = 256

/**
 * Speaks MCP over standard input and output until the input ends. Nothing that is wrong ends it: whoever speaks to it is
 * told when it calls, and each new fault is written to stderr once.
 */
export async function speakStdio(
  findTarget: FindTarget,
  { underscoreNames }: { underscoreNames: boolean },
  host: Pick<CommandProcess, 'stdin' | 'stdout' | 'stderr'> = process
): Promise<void> {
  let warned: string | undefined
  const warn = (message: string) => {
    if (message !== warned) host.stderr.write(`${message}\n`)
    warned = message
  }
  const answer = createStdioBridge(findTarget, { underscoreNames, warn })
  const underWay = new Set<Promise<void>>()
  for await (const line of linesOf(standardInput(host).setEncoding('utf8'))) {
    if (line.trim() === '') continue
    const work = answer(line).then((body) => {
      if (body !== undefined) host.stdout.write(`${body}\n`)
      underWay.delete(work)
    })
    underWay.add(work)
    if (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

/** Messages end with a line feed and nothing else; Node's own line reader also ends them at characters JSON may hold. */
async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  // Joined only at its end: a line may come in very many pieces.
  let begun: string[] = []
  for await (const piece of input) {
    const [first = '', ...more] = piece.split('\n')
    begun.push(first)
    const rest = more.pop()
    if (rest === undefined) continue
    yield begun.join('')
    yield* more
    begun = [rest]
  }
  yield begun.join('')
}
