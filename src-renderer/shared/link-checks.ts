import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { linkChecks as strings } from '../strings/links.ts'
import { api } from './api.ts'
import { notify, withAction } from './notify.tsx'
import { refresh } from './refresh.ts'
import { ask } from './request.ts'

const linkChecksOptions = queryOptions({
  queryKey: ['links'],
  queryFn: ({ signal }) => ask(api['link-checks'].$get({}, { init: { signal } }))
})

/** How many links were not checked yet. A large library takes a while to count them, so not with each that is checked. */
const uncheckedOptions = queryOptions({
  queryKey: ['unchecked'],
  queryFn: ({ signal }) => ask(api['link-checks'].unchecked.$get({}, { init: { signal } })),
  refetchInterval: 30_000
})

/** @param wanted whether anybody wants to know */
export function useUnchecked(wanted: boolean): number | undefined {
  return useQuery({ ...uncheckedOptions, enabled: wanted }).data?.unchecked
}

type Wanted = Parameters<(typeof api)['link-checks']['$post']>[0]['json']

/** How it stands with the last check of links. The service tells of changes. */
export const useLinkChecks = () => useQuery(linkChecksOptions)

/** Begins a check: of all links, or of those of some bookmarks. */
export function useCheckLinks() {
  const client = useQueryClient()
  const [, go] = useLocation()
  return useMutation({
    mutationFn: (wanted: Wanted) => ask(api['link-checks'].$post({ json: wanted })),
    onSuccess(status) {
      client.setQueryData(linkChecksOptions.queryKey, status)
      withAction(strings.begun, strings.show, () => go('/settings'))
    }
  })
}

export function useStopChecking() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(api['link-checks'].cancel.$post()),
    onSuccess: (status) => client.setQueryData(linkChecksOptions.queryKey, status)
  })
}

/** Says what a check that the owner asked for found, once it ends. */
export function useCheckEnd(): void {
  const check = useLinkChecks().data?.check
  const running = useRef<string>(undefined)
  useEffect(() => {
    if (!check) return
    if (check.endedAt === null) running.current = check.beganAt
    else if (running.current === check.beganAt) {
      running.current = undefined
      // What is open says how it stands with its link.
      void refresh({ queryKey: ['bookmarks', 'page'] })
      if (!check.cancelled) notify(strings.done(check.checked, check.broken, check.moved))
    }
  }, [check])
}
