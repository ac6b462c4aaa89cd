/** The part of a bundler's plugin that is used here, which Rollup, Rolldown and Vite share. */
interface ResolvingPlugin {
  name: string
  enforce: 'pre'
  transform(code: string): { code: string; map: null } | undefined
  resolveId(source: string): string | undefined
  load(id: string): string | undefined
}

const PREFIX = '\0'

/**
 * Lets the built programs start sooner. An `import` of a module of Node's reads every export once, also those that are
 * made when they are read: of `node:http` the whole of fetch, of `node:fs` its streams, of `node:process` those of the
 * terminal. Starting programs is loaded when one is started; and nothing here speaks HTTP/2, which @hono/node-server looks
 * for.
 */
export function leanBuiltins(): ResolvingPlugin {
  return {
    name: 'lean-builtins',
    enforce: 'pre',
    // By other names: what is Node's own stays outside of a bundle, whatever a plugin makes of it.
    transform(code) {
      const changed = code.replaceAll(IMPORTS, 'from "lean:$2"')
      // Every line stays where it is.
      return changed === code ? undefined : { code: changed, map: null }
    },
    resolveId: (source) => (source in MODULES ? PREFIX + source : undefined),
    load: (id) => MODULES[id.slice(PREFIX.length)]?.()
  }
}

const IMPORTS = /\bfrom\s*(['"])(?:node:)?(http2?|fs|crypto|net|stream|process|child_process)\1/g

const MODULES: Record<string, () => string> = {
  ...Object.fromEntries(
    ['http', 'fs', 'crypto', 'net', 'stream', 'process'].map((name) => [`lean:${name}`, () => withoutGetters(name)])
  ),
  'lean:http2': () => 'export class Http2ServerRequest {}\nexport const constants = {}\n',
  'lean:child_process': () => whenCalled('child_process')
}

function withoutGetters(module: string): string {
  const names = valuesOf(module).map(([name]) => name)
  return [
    `const all = process.getBuiltinModule('node:${module}')`,
    'export default all',
    ...names.map(
      (name) => `const own_${name} = /* @__PURE__ */ (() => all.${name})()\nexport { own_${name} as ${name} }`
    ),
    ''
  ].join('\n')
}

/** The module's functions, each of which loads it when it is called. */
function whenCalled(module: string): string {
  const names = valuesOf(module).flatMap(([name, value]) =>
    typeof value === 'function' && /^[a-z]/.test(name) ? [name] : []
  )
  return [
    `const all = () => process.getBuiltinModule('node:${module}')`,
    ...names.map((name) => `export const ${name} = (...args) => all().${name}(...args)`),
    `export default { ${names.join(', ')} }`,
    ''
  ].join('\n')
}

function valuesOf(module: string): [string, unknown][] {
  const all = process.getBuiltinModule(`node:${module}`) as object
  return Object.entries(Object.getOwnPropertyDescriptors(all)).flatMap(([name, property]): [string, unknown][] =>
    'value' in property && /^[a-z]\w*$/i.test(name) ? [[name, property.value]] : []
  )
}
