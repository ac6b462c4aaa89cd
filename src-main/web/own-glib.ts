import { createRequire } from 'node:module'
import { constants } from 'node:os'

/**
 * Loads sharp's native part so that it calls the GLib inside its own libvips. Call it before sharp is imported.
 *
 * Electron's executable is linked with the system's GLib, and on Linux a name that is in both is taken from there: the two
 * disagree about every object, which shows as criticals, as memory that grows, or as a crash (lovell/sharp#4522,
 * electron/electron#46323). RTLD_DEEPBIND looks into a library's own ones first. It is not for libvips: that would also take
 * `free` from the C library, while the C library takes `malloc` from Electron, which has one of its own
 * (electron/electron#44291). libvips keeps to its own GLib anyway; so it is loaded as ever, and only what calls it is bound
 * deeply.
 */
export function bindToOwnGLib(): void {
  const { RTLD_LAZY, RTLD_DEEPBIND } = constants.dlopen
  // Only glibc has it; elsewhere nothing else brings a GLib.
  if (process.platform !== 'linux' || RTLD_LAZY === undefined || RTLD_DEEPBIND === undefined) return
  const sharp = requireBesideSharp()
  const kind = `linux-${process.arch}`
  try {
    load(sharp.resolve(`@img/sharp-libvips-${kind}/binary`), RTLD_LAZY)
  } catch (error) {
    // It is no module for Node, and stays loaded all the same; where it is not there, sharp says what to do.
    if (codeOf(error) !== 'ERR_DLOPEN_FAILED') return
  }
  const { dlopen } = process
  process.dlopen = (module, file) => dlopen.call(process, module, file, RTLD_LAZY | RTLD_DEEPBIND)
  try {
    sharp(`@img/sharp-${kind}/sharp.node`)
  } finally {
    process.dlopen = dlopen
  }
}

/** Finds what sharp finds. */
function requireBesideSharp(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve('sharp'))
}

function load(file: string, flags: number): void {
  process.dlopen({ exports: {} }, file, flags)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
