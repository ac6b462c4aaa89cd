import type { EventEmitter } from 'node:events'
import type * as E from 'electron'
import { strict } from './strict.ts'

type Handler = (event: E.IpcMainInvokeEvent, ...args: unknown[]) => unknown

const handlers = new Map<string, Handler>()

/** Refuses a second handler, as Electron does. */
export const ipcMain = strict('ipcMain', {
  handle(channel: string, handler: Handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  }
}) satisfies Partial<Omit<E.IpcMain, keyof EventEmitter>>

/** What a page's `ipcRenderer.invoke` comes to. */
export async function invoke(event: E.IpcMainInvokeEvent, channel: string, args: unknown[]): Promise<unknown> {
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`No handler registered for '${channel}'`)
  return handler(event, ...args)
}
