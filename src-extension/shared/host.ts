import type { HostAnswer, HostAnswers, HostQuestion } from '../../src-main/contract/extension.ts'
import { NATIVE_HOST } from '../../src-main/contract/extension-id.ts'
import { text } from '../texts.ts'

/** The program on this machine that the extension speaks to; nothing else ever hears from it. */
export interface Host {
  /** @throws Error with words for the owner */
  ask<Kind extends keyof HostAnswers>(ask: Kind, page: QuestionOf<Kind>): Promise<HostAnswers[Kind]>
  close(): void
}

type QuestionOf<Kind> = Extract<HostQuestion, { ask: Kind }>['page']

interface Waiting {
  resolve(answer: HostAnswers[keyof HostAnswers]): void
  reject(error: Error): void
}

/** Starts the program, which ends with `close`, or with the page. */
export function connectHost(onEnd: () => void = () => {}): Host {
  const port = chrome.runtime.connectNative(NATIVE_HOST)
  const waiting = new Map<number, Waiting>()
  let asked = 0
  let ended: Error | undefined

  port.onMessage.addListener((message) => {
    const { id, ...rest } = message as HostAnswer
    if (id === null) return
    const one = waiting.get(id)
    waiting.delete(id)
    if ('error' in rest) one?.reject(new Error(rest.error.message))
    else one?.resolve(rest.answer)
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
      const id = ++asked
      const answer = await new Promise<HostAnswers[keyof HostAnswers]>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        port.postMessage({ id, ask, page })
      })
      return answer as HostAnswers[typeof ask]
    },
    close: () => port.disconnect()
  }
}

/** Browsers say in English why a program cannot be spoken to. */
function whyEnded(reason: string): string {
  return /not found|forbidden|no such native application/i.test(reason) ? text('notConnected') : text('ended')
}
