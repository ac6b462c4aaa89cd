/**
 * A look that is asked for whenever something may have changed: one at a time, and what happens during one is seen by
 * the next.
 *
 * @returns `wake` asks for one; once closed it no longer does anything
 */
export function coalesce(look: () => Promise<void>, onError: (error: unknown) => void) {
  let looking: Promise<void> | undefined
  let lookAgain = false
  let closed = false

  function wake(): void {
    if (closed) return
    lookAgain = looking !== undefined
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined
        if (lookAgain) wake()
      })
  }

  return {
    wake,
    /** @returns the look that is under way */
    close(): Promise<void> {
      closed = true
      return looking ?? Promise.resolve()
    }
  }
}
