/** The thread that looks through whole databases, ours and those of browsers: in a large one that takes seconds. */
import { openExamining } from './examining.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls(openExamining)
