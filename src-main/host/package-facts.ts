import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

export const { version, homepage } = manifest

/** The folder that holds package.json; within the packaged app, the one in its archive. */
export const programFolder = join(import.meta.dirname, '../..')

/** From the sources and from `out/main` alike, the built dashboard is two or fewer folders up, in `out/renderer`. */
export const dashboardFolder = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../../out/renderer')
  : join(import.meta.dirname, '../renderer')
