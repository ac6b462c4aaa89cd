/** The thread that reads what may take long, so that it holds up nobody. */
import { openReading } from './reading.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls(openReading)
