/**
 * A look that is asked for whenever something may have changed: one at a time, and what happens during one is seen by
 * the next.
 *
 * @returns asks for one; once closed it no longer does anything
 */
export function oneLookAtATime(look: () => Promise<void>, onError: (error: unknown) => void) {
  let looking = false
  let lookAgain = false
  let closed = false

  function wake(): void {
    if (looking) lookAgain = true
    if (looking || closed) return
    looking = true
    void look()
      .catch(onError)
      .finally(() => {
        looking = false
        if (!lookAgain) return
        lookAgain = false
        wake()
      })
  }

  return {
    wake,
    close(): void {
      closed = true
    }
  }
}
