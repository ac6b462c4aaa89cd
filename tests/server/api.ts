import { expect } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { callApi } from '../support/service.ts'

interface ApiAnswer {
  status: number
  /** The parsed JSON; `undefined` for an empty answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests check
  body: any
}

export type Api = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>

/** Calls the dashboard's API of a service, as the command line does. */
export function apiOf(service: Service): Api {
  return async (method, path, body) => {
    const response = await callApi(service, method, path, body)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** The answer to a request that is refused. */
export function refusal(status: number, code: string, message: string | RegExp): object {
  const text = typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message)
  return { status, body: { error: { code, message: text } } }
}
