import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { ask } from '../../shared/request.ts'

/** How often the state is asked for while synchronization is set up, and while many bookmarks come or go, in milliseconds. */
const ASK_EVERY = 5000
const ASK_OFTEN = 1000

const readSync = () => ask(api.sync.$get())

/** Below `settings`, so that it is fetched again when it is set up or ended elsewhere. */
export const syncOptions = queryOptions({
  queryKey: ['settings', 'sync'],
  queryFn: readSync,
  refetchInterval: ({ state }) => {
    const sync = state.data?.sync
    return sync ? (sync.progress || sync.unsent > 0 ? ASK_OFTEN : ASK_EVERY) : false
  }
})

export type Sync = NonNullable<Awaited<ReturnType<typeof readSync>>['sync']>
