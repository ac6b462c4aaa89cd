/** Lets one at a time have each name, in the order they asked. */
export function createTurns() {
  const last = new Map<string, Promise<void>>()
  return {
    /** Waits until the name is free. The caller ends its turn with what it gets. */
    async take(name: string): Promise<() => void> {
      const before = last.get(name)
      let end = () => {}
      const turn = new Promise<void>((resolve) => {
        end = resolve
      })
      last.set(name, turn)
      await before
      return () => {
        if (last.get(name) === turn) last.delete(name)
        end()
      }
    }
  }
}

export type Turns = ReturnType<typeof createTurns>
