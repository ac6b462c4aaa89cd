import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

const root = join(import.meta.dirname, '../..')

/** A source file as the rules see it. Paths are relative to the repository, with forward slashes. */
export interface SourceFile {
  path: string
  imports: Import[]
  /** It hands on what other files export and has nothing of its own, or it hands on all of another file. */
  barrel: boolean
}

export interface Import {
  /** A path like `path` above, a package as it is written, or `COMPUTED`. */
  to: string
  /** Gone before the program runs. `import { type A }` is not: what is left of it still loads the file. */
  typeOnly: boolean
}

/** An import whose target only the running program knows. */
export const COMPUTED = '(computed)'

/** Reads every source file of the programs and the extension. */
export function readSources(): SourceFile[] {
  return globSync('{src-main,src-renderer,src-extension}/**/*.{ts,tsx,js,jsx,mjs,cjs}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => readSource(path, readFileSync(join(root, path), 'utf8')))
}

/** Reads one file's imports: static, re-exporting, dynamic, in types, and by `require`. */
export function readSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const statements = program.body as unknown as Node[]
  const imports: Import[] = []
  for (const statement of statements) visit(statement, (node) => imports.push(...importsOf(path, node)))
  return { path, imports, barrel: isBarrel(statements) }
}

/** A node of the ESTree that oxc builds, as far as imports need it. */
interface Node {
  type: string
  [property: string]: unknown
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see)
  if (!isNode(value)) return
  see(value)
  for (const child of Object.values(value)) visit(child, see)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function importsOf(path: string, node: Node): Import[] {
  switch (node.type) {
    case 'ImportDeclaration':
      return [{ to: target(path, node.source), typeOnly: node.importKind === 'type' }]
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return node.source ? [{ to: target(path, node.source), typeOnly: node.exportKind === 'type' }] : []
    case 'ImportExpression':
      return [{ to: target(path, node.source), typeOnly: false }]
    case 'TSImportType':
      return [{ to: target(path, node.source), typeOnly: true }]
    case 'TSExternalModuleReference':
      return [{ to: target(path, node.expression), typeOnly: false }]
    case 'CallExpression':
      return isRequire(node) ? [{ to: target(path, (node.arguments as unknown[])[0]), typeOnly: false }] : []
    default:
      return []
  }
}

function isRequire({ callee }: Node): boolean {
  return isNode(callee) && callee.type === 'Identifier' && callee.name === 'require'
}

function target(path: string, specifier: unknown): string {
  if (!isNode(specifier) || typeof specifier.value !== 'string') return COMPUTED
  return specifier.value.startsWith('.') ? posix.join(posix.dirname(path), specifier.value) : specifier.value
}

function isBarrel(statements: Node[]): boolean {
  if (statements.some((one) => one.type === 'ExportAllDeclaration')) return true
  const handsOn = (one: Node) => one.type === 'ExportNamedDeclaration' && one.declaration === null
  return statements.some(handsOn) && statements.every((one) => handsOn(one) || one.type === 'ImportDeclaration')
}
