/** Runs work one task at a time. A task that fails rejects its own promise only, and the next task runs. */
export interface Queue {
  /** Adds a task at the end of the queue, or at its front if the task is urgent. */
  add<T>(work: () => T | Promise<T>, options?: { urgent?: boolean }): Promise<T>
  /** Resolves when no task runs or waits. */
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
