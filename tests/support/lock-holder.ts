/**
 * `node lock-holder.js FOLDER`: tries to take the library's lock, says what became of it and, where it has it, keeps it
 * until it is ended.
 */
import { lockLibrary } from '../../src-main/store/files/lock.ts'

try {
  const unlock = lockLibrary(process.argv[2] ?? '')
  console.log('locked')
  setInterval(() => unlock, 1000)
} catch (error) {
  console.log(Object(error).code)
}
