import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { refresh } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'
import { statusOptions } from '../../shared/status.ts'

export type KeyRequest = Parameters<typeof api.keys.$post>[0]['json']
export type ApiKey = NonNullable<ReturnType<typeof useKeys>['data']>[number]
/** A key with its secret, for the one time it is shown. */
export type NewKey = Awaited<ReturnType<typeof create>> & { name: string; rotated: boolean }
export type Call = NonNullable<ReturnType<typeof useCalls>['data']>['pages'][number][number]

/** Calls a page of the ledger. */
const PAGE = 50

const keysOptions = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await ask(api.keys.$get())).toReversed()
})

const callsOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['calls', id],
    queryFn: ({ pageParam }) =>
      ask(
        api.keys[':id'].calls.$get({
          param: { id },
          query: { limit: String(PAGE), before: pageParam?.toString() }
        })
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id)
  })

const newestCallOptions = (id: string) =>
  queryOptions({
    queryKey: ['calls', id, 'newest'],
    queryFn: async () => (await ask(api.keys[':id'].calls.$get({ param: { id }, query: { limit: '1' } })))[0] ?? null,
    gcTime: 0
  })

/** All keys, the newest first. */
export const useKeys = () => useQuery(keysOptions)

export function useCreateKey() {
  return useMutation({ mutationFn: create, meta: { quiet: true }, onSuccess: refreshKeys })
}

function create(request: KeyRequest) {
  return ask(api.keys.$post({ json: request }))
}

export function useRotateKey() {
  return useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].rotate.$post({ param: { id } })),
    onSuccess: refreshKeys
  })
}

export function useRevokeKey() {
  return useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].$delete({ param: { id } })),
    onSuccess: refreshKeys
  })
}

/** A key's secret, from the keychain or its file. */
export async function askSecret(id: string): Promise<string> {
  return (await ask(api.keys[':id'].secret.$get({ param: { id } }))).key
}

/** Tries a key against the endpoint as editors do. */
export function useConnectionTest() {
  return useMutation({
    mutationFn: (key: string) => ask(api['connection-tests'].$post({ json: { key } })),
    meta: { quiet: true }
  })
}

/** A key's calls, newest first, page by page. */
export const useCalls = (id: string) => useInfiniteQuery(callsOptions(id))

/** The call a key made last, `null` where it made none; known only while it is asked for. */
export const useNewestCall = (id: string) => useQuery(newestCallOptions(id))

export function useUndoCall() {
  return useMutation({
    mutationFn: (id: number) => ask(api.calls[':id'].undo.$post({ param: { id: String(id) } })),
    onSuccess: () => refresh('calls')
  })
}

const refreshKeys = () => refresh(keysOptions, statusOptions)
