import type { HostAnswer, HostAnswers, HostQuestion } from '../../src-main/contract/extension.ts'
import { NATIVE_HOST } from '../../src-main/contract/extension-id.ts'
import { text } from '../texts.ts'

/** The program on this machine that connects the extension with Earmark. The extension talks to nothing else. */
export interface Host {
  /** Sends a request. @throws Error with a message for the owner */
  ask<Kind extends keyof HostAnswers>(ask: Kind, page: QuestionOf<Kind>): Promise<HostAnswers[Kind]>
  close(): void
}

type QuestionOf<Kind> = Extract<HostQuestion, { ask: Kind }>['page']

interface Waiting {
  resolve(answer: HostAnswers[keyof HostAnswers]): void
  reject(error: Error): void
}

/** Starts the program, which ends with `close`, or when the extension’s page closes. */
export function connectHost(onEnd: () => void = () => {}): Host {
  const port = chrome.runtime.connectNative(NATIVE_HOST)
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let ended: Error | undefined

  port.onMessage.addListener((message) => {
    const { id, ...rest } = message as HostAnswer
    if (id === null) return
    const request = waiting.get(id)
    waiting.delete(id)
    if ('error' in rest) request?.reject(new Error(rest.error.message))
    else request?.resolve(rest.answer)
  })
  port.onDisconnect.addListener(({ error }) => {
    ended = new Error(whyEnded(chrome.runtime.lastError?.message ?? error?.message ?? ''))
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
    onEnd()
  })
  return {
    async ask(ask, page) {
      if (ended) throw ended
      const id = ++lastId
      const answer = await new Promise<HostAnswers[keyof HostAnswers]>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        port.postMessage({ id, ask, page })
      })
      return answer as HostAnswers[typeof ask]
    },
    close: () => port.disconnect()
  }
}

/** Returns a message for the owner. Browsers give the reason in English only. */
function whyEnded(reason: string): string {
  return /not found|forbidden|no such native application/i.test(reason) ? text('notConnected') : text('ended')
}
