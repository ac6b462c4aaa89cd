/** The thread that looks through a library for what is wrong with it: in a large one that takes seconds. */
import { openExamining } from './examining.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls(openExamining)
