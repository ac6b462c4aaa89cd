/** The thread that owns the only writing connection. */
import { serveCalls } from './serve-calls.ts'
import { openWriting } from './writing.ts'

serveCalls(openWriting)
