/**
 * `node lock-holder.js FOLDER [--open]`: tries to take the library's lock, prints the result, and keeps the lock until it is
 * killed. With `--open` it also opens the library and writes to it.
 */
import { lockLibrary } from '../../src-main/database/lock.ts'
import { openLibrary } from '../../src-main/store/open-library.ts'

try {
  const [, , folder = '', open] = process.argv
  const unlock = lockLibrary(folder)
  if (open) await (await openLibrary(folder, { inPlace: true })).createOrganization('Client', 1000)
  console.log('locked')
  setInterval(() => unlock, 1000)
} catch (error) {
  console.log(Object(error).code)
}
