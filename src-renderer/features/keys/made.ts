import { useEffect } from 'react'
import { onSessionEnd } from '../../shared/session.ts'
import { storeOf } from '../../shared/store.ts'
import type { NewKey } from './key-data.ts'

/** The key that was just made, until it is done with: another page may be looked at meanwhile. */
export const madeKey = storeOf<NewKey | undefined>(undefined)
onSessionEnd(() => madeKey.set(undefined))

/** Has the browser ask before the page is left, as long as something would be lost with it. */
export function useAskBeforeLeaving(asks: boolean): void {
  useEffect(() => {
    if (!asks) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [asks])
}
