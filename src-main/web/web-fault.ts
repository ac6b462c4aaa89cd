import type { LinkFault } from '../contract/link-check.ts'
import type { PageFault } from '../contract/page-details.ts'

/** Why a page could not be fetched. */
export class WebFault extends Error {
  override readonly name = 'WebFault'
  readonly fault: PageFault
  /** Whether another time may do better. */
  readonly again: boolean
  /** How long the site asks to be left alone, in milliseconds. */
  readonly wait: number | undefined
  /** Says more of the site than the fault does. */
  readonly link: LinkFault
  /** The site's status code, if it answered. */
  readonly status: number | undefined

  constructor(
    fault: PageFault,
    again = false,
    { wait, link = fault, status }: { wait?: number | undefined; link?: LinkFault; status?: number } = {}
  ) {
    super(fault)
    this.link = link
    this.status = status
    this.fault = fault
    this.again = again
    this.wait = wait
  }
}
