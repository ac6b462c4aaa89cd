import { cleanText } from '../core/clean-text.ts'
import { type Envelope, isObject } from './envelope.ts'

const META_CLIENT = 'io.modelcontextprotocol/clientInfo'
const LONGEST = 80

/**
 * Names the client behind each message: as its `_meta` says, else as the last `initialize` with the same key said, else
 * by its User-Agent. Names are for the owner's eyes only.
 */
export function createClientNames() {
  const initialized = new Map<number, string>()

  return (keyId: number, { method, params }: Envelope, userAgent: string | undefined): string | null => {
    const meta = isObject(params?._meta) ? nameOf(params._meta[META_CLIENT]) : undefined
    if (meta !== undefined) return meta
    if (method === 'initialize') {
      const name = nameOf(params?.clientInfo) ?? nameOf(params?.client)
      if (name !== undefined) initialized.set(keyId, name)
    }
    return initialized.get(keyId) ?? (userAgent === undefined ? null : cleanText(userAgent, LONGEST))
  }
}

function nameOf(info: unknown): string | undefined {
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  const version = typeof info.version === 'string' ? ` ${info.version}` : ''
  return cleanText(info.name + version, LONGEST) || undefined
}
