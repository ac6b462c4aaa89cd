/** The thread that puts a backup in the place of a library: copying and looking through a large one takes seconds. */
import { openRestoring } from './restoring.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls(openRestoring)
