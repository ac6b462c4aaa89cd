import { startEarly } from './store/threads/thread.ts'

/**
 * Starts what a service needs in any case, before the rest of the program is loaded: the writing thread takes about as
 * long to load its program as this thread.
 */
export function startServiceEarly(): void {
  startEarly('writing')
}
