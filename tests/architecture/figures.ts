// node tests/architecture/figures.ts: prints what tells how easy the source is to enter. CONTRIBUTING.md names it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** A function of more lines than this is long. */
const LONG = 60

const root = join(import.meta.dirname, '../..')
const files = globSync('src-{main,renderer,extension}/**/*.{ts,tsx}', { cwd: root }).map((path) => measure(path))
const store = files.filter(({ path }) => path.startsWith('src-main/store/'))
const functions = files.flatMap((file) => file.functions)
const lines = sum(files, (file) => file.lines)

console.log(`${files.length} files, ${lines} lines of TypeScript`)
console.log(`${functions.filter((one) => one.lines > LONG).length} of ${functions.length} functions over ${LONG} lines`)
console.log(`functions inside functions: store ${nestedShare(store)} %, everywhere ${nestedShare(files)} %`)
console.log(`casts per 1,000 lines: store ${castsIn(store)}, everywhere ${castsIn(files)}`)
console.log(`doc comments that begin with What, Who or Those: ${sum(files, (file) => file.riddles)}`)

interface FoundFunction {
  lines: number
  nested: boolean
}

interface Measured {
  path: string
  lines: number
  functions: FoundFunction[]
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
  const { program } = parseSync(path, text)
  const found: Measured = { path, lines: lineCount(text), functions: [], casts: 0, riddles: 0 }
  found.riddles = text.match(/\/\*\*\s*(?:\*\s*)?(?:What|Who|Those)\b/g)?.length ?? 0
  visit(program as unknown as Node, false)
  return found

  function visit(node: Node, inFunction: boolean): void {
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
    if (isFunction) {
      found.functions.push({ lines: lineCount(text.slice(node.start, node.end)), nested: inFunction })
    }
    if (node.type === 'TSAsExpression' && node.typeAnnotation?.typeName?.name !== 'const') found.casts += 1
    for (const child of Object.values(node).flat()) {
      if (isNode(child)) visit(child, inFunction || isFunction)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Returns the share of functions that stand inside another, in percent. Those of one line, such as callbacks, do not count. */
function nestedShare(measured: Measured[]): number {
  const all = measured.flatMap((file) => file.functions)
  return Math.round(
    (100 * all.filter(({ nested, lines }) => nested && lines > 1).length) / all.filter(({ lines }) => lines > 1).length
  )
}

function castsIn(measured: Measured[]): string {
  return ((1000 * sum(measured, ({ casts }) => casts)) / sum(measured, (file) => file.lines)).toFixed(1)
}

function lineCount(text: string): number {
  return text.split('\n').length
}

function sum<T>(all: T[], value: (one: T) => number): number {
  return all.reduce((total, one) => total + value(one), 0)
}
