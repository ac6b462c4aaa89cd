/** Work that runs one at a time. A failure is its caller's; the next work runs all the same. */
export interface Queue {
  /** Runs work after all that waits, or, if it is urgent, before all that waits. */
  add<T>(work: () => T | Promise<T>, options?: { urgent?: boolean }): Promise<T>
  /** Resolves when nothing runs or waits. */
  onIdle(): Promise<void>
}

export function createQueue(): Queue {
  const waiting: (() => Promise<void>)[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next()
    running = undefined
  }

  return {
    add: (work, { urgent = false } = {}) =>
      new Promise((resolve, reject) => {
        const start = async () => {
          try {
            resolve(await work())
          } catch (error) {
            reject(error)
          }
        }
        if (urgent) waiting.unshift(start)
        else waiting.push(start)
        running ??= run()
      }),
    async onIdle() {
      await running
    }
  }
}
