import { storeOf, useStore } from './store.ts'

const ended = storeOf(false)

/** Told to the other tabs of this address. */
const LOGIN = 'earmark-login'

export function tellLogin(): void {
  localStorage.setItem(LOGIN, String(Date.now()))
}

/** Calls back once another tab has logged in. @returns ends that */
export function onLogin(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => key === LOGIN && listener()
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

/** Turns every page into the one that says how to log in. Called where an answer has status 401, and after logging out. */
export const endSession = (): void => ended.set(true)

/** Calls back once the session ends. */
export const onSessionEnd = (forget: () => void): unknown => ended.subscribe(forget)

export const useSessionEnded = (): boolean => useStore(ended)
