import type { ReactNode } from 'react'
import { useServiceGone } from './live.ts'

/** Fields and buttons that can do nothing while the service does not answer. The shell says why. */
export function WhileServed({ children }: { children: ReactNode }) {
  return (
    <fieldset className="while-served" disabled={useServiceGone()}>
      {children}
    </fieldset>
  )
}
