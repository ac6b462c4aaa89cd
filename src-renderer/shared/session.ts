import { storeOf, useStore } from './store.ts'

const ended = storeOf(false)

/** Turns every page into the one that says how to log in. Called where an answer has status 401, and after logging out. */
export const endSession = (): void => ended.set(true)

/** Calls back once the session ends. */
export const onSessionEnd = (forget: () => void): unknown => ended.subscribe(forget)

export const useSessionEnded = (): boolean => useStore(ended)
