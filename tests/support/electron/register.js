// node --import register.js out/main/desktop.js: the program finds the stand-in where it asks for Electron.
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const standIn = new URL('../../../out/tests/stand-in.js', import.meta.url).href

// Threads inherit this import, and have no Electron.
if (isMainThread) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)
  })
  await import(standIn)

  // `electron .` has the app's folder as its first argument, a packaged app has none.
  if (process.env.STAND_IN_PACKAGED === '1') process.argv.splice(1, 1)
  else Object.assign(process, { defaultApp: true })
}
