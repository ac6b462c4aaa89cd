/** `node lock-holder.js FOLDER`: tries to take the library's lock, prints the result, and keeps the lock until it is killed. */
import { lockLibrary } from '../../src-main/database/lock.ts'

try {
  const [, , folder = ''] = process.argv
  const unlock = lockLibrary(folder)
  console.log('locked')
  setInterval(() => unlock, 1000)
} catch (error) {
  console.log(Object(error).code)
}
