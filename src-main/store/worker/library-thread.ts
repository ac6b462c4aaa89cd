/** The program of the library's threads; the first message says what a thread is for. */
import { serve } from './server.ts'

serve()
