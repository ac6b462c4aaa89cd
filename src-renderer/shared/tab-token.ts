import { captureHost, host } from './host.ts'

/**
 * What proves that this tab belongs to the person who logged in; every call to the service carries it. The tab that
 * logged in has it; it can hand it on to another tab of the same browser, where a person says so. In the desktop app
 * main has it, and no page keeps it: what a page stores is written to disk there.
 */
const NAME = 'earmark-tab'

/** How long another tab may take to say that it has heard, in milliseconds. It then waits for a person. */
const PATIENCE_MS = 500

export type TabMessage =
  | { kind: 'ask'; id: string }
  | { kind: 'heard'; id: string }
  | { kind: 'refused'; id: string }
  | { kind: 'given'; id: string; token: string }
  | { kind: 'logged-in'; token: string }

export type HandOverOutcome = 'given' | 'refused' | 'nobody'

/** What this page was given: what it stored may not be there yet on a page that is opened at once. */
let kept: string | null = null

export function tabToken(): string | null {
  return kept ?? sessionStorage.getItem(NAME)
}

/** The headers that prove this tab, for a call to the service. */
export async function tabHeaders(): Promise<Record<string, string>> {
  const bridge = host ?? captureHost
  const token = bridge ? await bridge.tabToken() : tabToken()
  return token === null ? {} : { 'x-earmark-tab': token }
}

export function keepTabToken(token: string): void {
  kept = token
  sessionStorage.setItem(NAME, token)
}

export function forgetTabToken(): void {
  kept = null
  sessionStorage.removeItem(NAME)
}

/** A channel to the other tabs of this origin. Programs on other ports are not on it. */
export function openTabChannel(listener?: (message: TabMessage) => void): {
  send(message: TabMessage): void
  close(): void
} {
  const channel = new BroadcastChannel(NAME)
  if (listener) channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listener(data)
  return { send: (message) => channel.postMessage(message), close: () => channel.close() }
}

/** Asks the other tabs for their token, and waits for a person to answer in one of them. */
export function askForToken(): Promise<HandOverOutcome> {
  const id = crypto.randomUUID()
  return new Promise((resolve) => {
    const finish = (outcome: HandOverOutcome) => {
      clearTimeout(unheard)
      channel.close()
      resolve(outcome)
    }
    const unheard = setTimeout(() => finish('nobody'), PATIENCE_MS)
    const channel = openTabChannel((message) => {
      if (!('id' in message) || message.id !== id) return
      if (message.kind === 'heard') clearTimeout(unheard)
      if (message.kind === 'given') keepTabToken(message.token)
      if (message.kind === 'given' || message.kind === 'refused') finish(message.kind)
    })
    channel.send({ kind: 'ask', id })
  })
}
