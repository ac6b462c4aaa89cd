import { networkInterfaces } from 'node:os'
import type { Web } from '../contract/ports.ts'
import type { openWeb, WebOptions } from './open-web.ts'

/** Opens the web with the first request, because its code is a quarter of the program, and many runs never need it. */
export function internet(options: WebOptions): Web {
  let opened: Promise<ReturnType<typeof openWeb>> | undefined
  let closed = false

  async function opening(): Promise<ReturnType<typeof openWeb>> {
    opened ??= import('./open-web.ts').then(({ openWeb }) => openWeb(options))
    const web = await opened
    if (closed) throw new Error('The web is closed.')
    return web
  }

  return {
    readPage: async (address, signal) => (await opening()).readPage(address, signal),
    readPicture: async (address, signal) => (await opening()).readPicture(address, signal),
    checkLink: async (address, signal) => (await opening()).checkLink(address, signal),
    isConnected: () =>
      options.wire !== undefined ||
      Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal)),
    async close() {
      closed = true
      await (await opened)?.close()
    }
  }
}
