import { useMutation } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import type { ApiKey } from '../../api/service-queries.ts'

export type KeyRequest = Parameters<typeof api.keys.$post>[0]['json']

export function useCreateKey() {
  return useMutation({
    mutationFn: (request: KeyRequest) => ask(api.keys.$post({ json: request })),
    meta: { quiet: true, changes: ['keys'] }
  })
}

export function useRotateKey() {
  return useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].rotate.$post({ param: { id } })),
    meta: { changes: ['keys'] }
  })
}

export function useRevokeKey() {
  return useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.keys[':id'].$delete({ param: { id } })),
    meta: { changes: ['keys'] }
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

export function useUndoCall() {
  return useMutation({
    mutationFn: (id: number) => ask(api.calls[':id'].undo.$post({ param: { id: String(id) } })),
    meta: { changes: ['calls', 'bookmarks'] }
  })
}
