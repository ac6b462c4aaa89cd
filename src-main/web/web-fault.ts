import type { PageFault } from '../contract/page-details.ts'

/** Why a page could not be fetched. */
export class WebFault extends Error {
  override readonly name = 'WebFault'
  readonly fault: PageFault
  /** Whether another time may do better. */
  readonly again: boolean
  /** How long the site asks to be left alone, in milliseconds. */
  readonly wait: number | undefined

  constructor(fault: PageFault, again = false, wait?: number) {
    super(fault)
    this.fault = fault
    this.again = again
    this.wait = wait
  }
}
