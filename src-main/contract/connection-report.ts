import { z } from 'zod'

/** A key to try, as a client would present it. */
export const ConnectionTestRequest = z.strictObject({ key: z.string().min(1).max(200) })

/** One thing that a client needs, tried for real. */
export interface ConnectionCheck {
  name: 'reach' | 'key' | 'handshake' | 'tools' | 'save'
  ok: boolean
  /** The result in words for the owner; after a failure, with what to do. */
  message: string
}

/** Whether clients can connect with a key. Checks after a failed one are not made. */
export interface ConnectionReport {
  works: boolean
  checks: ConnectionCheck[]
}
