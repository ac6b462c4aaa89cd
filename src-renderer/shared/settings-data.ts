import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { queryClient } from './query-client.ts'
import { ask } from './request.ts'

const settingsOptions = queryOptions({ queryKey: ['settings'], queryFn: () => ask(api.settings.$get()) })

type Change = Parameters<typeof api.settings.$patch>[0]['json']
export type Settings = NonNullable<ReturnType<typeof useSettings>['data']>

/** The owner's settings, once there is somebody to ask for them. */
export function useSettings(enabled = true) {
  return useQuery({ ...settingsOptions, enabled })
}

/**
 * Changes some settings. They show at once, and as they were again where the service refuses; but for the port, which
 * is more often refused than not when somebody tries one. `quiet`: the caller tells of a failure itself.
 */
export function useChangeSettings({ quiet = false } = {}) {
  return useMutation({
    meta: { quiet },
    mutationFn: (change: Change) => ask(api.settings.$patch({ json: change })),
    async onMutate(change) {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      if (before && change.port === undefined) queryClient.setQueryData(queryKey, { ...before, ...change })
      return before
    },
    onSuccess: (settings) => queryClient.setQueryData(queryKey, settings),
    onError: (_error, _change, before) => queryClient.setQueryData(queryKey, before)
  })
}

const { queryKey } = settingsOptions
