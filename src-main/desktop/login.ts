import { type Session, session } from 'electron'
import { SESSION_COOKIE } from '../contract/endpoint.ts'
import type { Service } from '../service.ts'
import { PARTITION } from './window-security.ts'

/** A session ends 12 hours after its last use; a new one is begun well before. */
const FRESH_MS = 6 * 3_600_000

/** Answers to what was asked before a session began may come so much later, in milliseconds. */
const LATE_MS = 30_000

/** The windows' session: a cookie in their partition, never a token in an address. */
export interface Login {
  /** Begins a new session where the one there is old. */
  refresh(): Promise<void>
  /**
   * Begins a new session where a page was refused, once for all who ask while it begins.
   *
   * @returns false where one began just before and lasts: then an answer to an earlier request came late
   */
  renew(): Promise<boolean>
}

/** A port nobody listens on, which Chromium besides refuses to ask. */
const NOWHERE = 'http://127.0.0.1:9/'

/**
 * With its first session Chromium fetches a dictionary from Google, but on macOS. The address holds for all sessions and
 * is asked for only after this turn; that there are no languages must be said to each.
 */
function fetchNoDictionary(store: Session): void {
  store.setSpellCheckerDictionaryDownloadURL(NOWHERE)
  store.setSpellCheckerLanguages([])
}

/**
 * Logs the partition in, and takes every permission from its pages.
 *
 * @param origin the dashboard's, as browsers know it
 */
export async function logIn(service: Service, origin: string): Promise<Login> {
  const store = session.fromPartition(PARTITION)
  fetchNoDictionary(store)
  store.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  store.setPermissionCheckHandler(() => false)
  store.setDevicePermissionHandler(() => false)
  let begunAt = 0
  let value = ''

  async function begin(): Promise<void> {
    value = await service.beginSession()
    await store.cookies.set({ url: origin, name: SESSION_COOKIE, value, httpOnly: true, sameSite: 'strict' })
    begunAt = Date.now()
  }

  async function beginWhereOver(): Promise<boolean> {
    if (Date.now() - begunAt < LATE_MS && (await service.hasSession(value))) return false
    await begin()
    return true
  }

  let renewing: Promise<boolean> | undefined

  function renew(): Promise<boolean> {
    renewing ??= beginWhereOver().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  await begin()
  return {
    renew,
    refresh: async () => {
      if (Date.now() - begunAt > FRESH_MS) await begin()
    }
  }
}
