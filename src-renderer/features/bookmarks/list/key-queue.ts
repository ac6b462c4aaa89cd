/** Keys typed while a selection is being counted. They wait for it and are then pressed again, in their order. */
export interface KeyQueue {
  /** Takes a key that has to wait. False if it may act at once. */
  hold(event: KeyboardEvent): boolean
  /** Lets keys wait for this. If it fails they are dropped: what they were meant for is not there. */
  during(work: Promise<unknown>): Promise<void>
}

export function keyQueue(): KeyQueue {
  const waiting: KeyboardEvent[] = []
  let counts = 0
  let pressing = false

  function pressNext(): void {
    const event = counts === 0 ? waiting.shift() : undefined
    if (!event) return
    pressing = true
    event.target?.dispatchEvent(new KeyboardEvent('keydown', event))
    pressing = false
    // The next key acts on what this one made of the selection, once that is drawn.
    setTimeout(pressNext)
  }
  return {
    hold(event) {
      if (pressing || (counts === 0 && waiting.length === 0)) return false
      waiting.push(event)
      return true
    },
    async during(work) {
      counts += 1
      try {
        await work
      } catch (error) {
        waiting.length = 0
        throw error
      } finally {
        // Keys wait until the selection is drawn, too.
        setTimeout(() => {
          counts -= 1
          pressNext()
        })
      }
    }
  }
}
