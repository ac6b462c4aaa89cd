// node tests/architecture/figures.ts: prints figures that show how easy the source is to read. CONTRIBUTING.md names it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** A function with more lines is long. */
const LONG = 60

const root = join(import.meta.dirname, '../..')
const files = globSync('src-{main,renderer,extension}/**/*.{ts,tsx}', { cwd: root }).map(measure)
const store = files.filter(({ path }) => path.startsWith('src-main/store/'))
const functions = files.flatMap((file) => file.functions)
const long = functions.filter(({ lines }) => lines > LONG)

console.log(`${files.length} files, ${sum(files, ({ lines }) => lines)} lines of TypeScript`)
console.log(`${long.length} of ${functions.length} functions over ${LONG} lines`)
console.log(`functions inside functions: store ${nestedShare(store)} %, everywhere ${nestedShare(files)} %`)
console.log(`casts per 1,000 lines: store ${castsPerThousand(store)}, everywhere ${castsPerThousand(files)}`)
console.log(`doc comments that begin with What, Who or Those: ${sum(files, ({ riddles }) => riddles)}`)

interface Measured {
  path: string
  lines: number
  functions: { lines: number; isNested: boolean }[]
  casts: number
  riddles: number
}

/** A node of the ESTree that oxc builds. */
interface Node {
  type: string
  start: number
  end: number
  typeAnnotation?: Node & { typeName?: { name?: string } }
}

function measure(path: string): Measured {
  const text = readFileSync(join(root, path), 'utf8')
  const riddles = text.match(/\/\*\*\s*(?:\*\s*)?(?:What|Who|Those)\b/g)?.length ?? 0
  const measured: Measured = { path, lines: countLines(text), functions: [], casts: 0, riddles }
  visit(parseSync(path, text).program as unknown as Node, false)
  return measured

  function visit(node: Node, isNested: boolean): void {
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
    if (isFunction) measured.functions.push({ lines: countLines(text.slice(node.start, node.end)), isNested })
    if (node.type === 'TSAsExpression' && node.typeAnnotation?.typeName?.name !== 'const') measured.casts += 1
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, isNested || isFunction)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Returns the percentage of functions inside another. Functions of one line, such as callbacks, do not count. */
function nestedShare(measured: Measured[]): number {
  const all = measured.flatMap((file) => file.functions).filter(({ lines }) => lines > 1)
  return Math.round((100 * all.filter(({ isNested }) => isNested).length) / all.length)
}

function castsPerThousand(measured: Measured[]): string {
  return ((1000 * sum(measured, ({ casts }) => casts)) / sum(measured, ({ lines }) => lines)).toFixed(1)
}

function countLines(text: string): number {
  return text.split('\n').length
}

function sum<T>(all: T[], value: (item: T) => number): number {
  return all.reduce((total, item) => total + value(item), 0)
}
