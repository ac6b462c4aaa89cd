import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { notifyError } from './notify.tsx'
import { endsSession, Unreachable } from './request.ts'
import { endSession } from './session.ts'

/**
 * Answers kept for the pages. A failed change is told in a notification, unless its `meta.quiet` says that the page
 * shows it; a failed read is the page's to show.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => endsSession(error) && endSession() }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (endsSession(error)) endSession()
      else if (!mutation.meta?.quiet) notifyError(error)
    }
  }),
  defaultOptions: {
    queries: {
      // Live events say when something changed.
      staleTime: 30_000,
      // The service is on this machine: whoever does not answer twice is not there.
      networkMode: 'always',
      retry: (failures, error) => error instanceof Unreachable && failures < 1,
      retryDelay: 500
    },
    mutations: { networkMode: 'always' }
  }
})
