import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { ask } from './request.ts'

export const statusOptions = queryOptions({ queryKey: ['status'], queryFn: () => ask(api.status.$get()) })

/** The service's state and counts. Asked again now and then, so that a service that stopped is noticed. */
export function useStatus() {
  return useQuery({ ...statusOptions, refetchInterval: 15_000 })
}

export type Status = NonNullable<ReturnType<typeof useStatus>['data']>
