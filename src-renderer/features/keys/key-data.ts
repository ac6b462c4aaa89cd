import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { queryClient } from '../../shared/query-client.ts'
import { ask } from '../../shared/request.ts'

export type KeyRequest = Parameters<typeof api.keys.$post>[0]['json']
export type ApiKey = NonNullable<ReturnType<typeof useKeys>['data']>[number]
/** A key with its secret, for the one time it is shown. */
export type NewKey = Awaited<ReturnType<typeof create>> & { name: string; rotated: boolean }
export type Call = NonNullable<ReturnType<typeof useCalls>['data']>['pages'][number][number]

/** Calls a page of the ledger. */
const PAGE = 50

/** All keys, the newest first. */
export function useKeys() {
  return useQuery({ queryKey: ['keys'], queryFn: async () => (await ask(api.keys.$get())).toReversed() })
}

export function useCreateKey() {
  return useMutation({ mutationFn: create, meta: { quiet: true }, onSuccess: refresh })
}

function create(request: KeyRequest) {
  return ask(api.keys.$post({ json: request }))
}

export function useRotateKey() {
  return useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].rotate.$post({ param: { id } })),
    onSuccess: refresh
  })
}

export function useRevokeKey() {
  return useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].$delete({ param: { id } })),
    onSuccess: refresh
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
export function useCalls(id: string) {
  return useInfiniteQuery({
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
}

/** The call a key made last, `null` where it made none; known only while it is asked for. */
export function useNewestCall(id: string) {
  return useQuery({
    queryKey: ['calls', id, 'newest'],
    queryFn: async () => (await ask(api.keys[':id'].calls.$get({ param: { id }, query: { limit: '1' } })))[0] ?? null,
    gcTime: 0
  })
}

export function useUndoCall() {
  return useMutation({
    mutationFn: (id: number) => ask(api.calls[':id'].undo.$post({ param: { id: String(id) } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['calls'] })
  })
}

async function refresh(): Promise<void> {
  await Promise.all(['keys', 'status'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
}
