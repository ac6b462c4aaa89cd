/**
 * Answers of the main thread's reads, kept until the library is next written to, whatever was written: no write has to
 * know what is kept.
 */
export interface ReadMemo {
  /** The read, whose answers are kept by `keyOf` its argument. That there is none is not kept. */
  memoize: Memoize
  clear(): void
}

export type Memoize = <Argument, Answer>(
  keyOf: (argument: Argument) => string,
  read: (argument: Argument) => Answer | undefined
) => (argument: Argument) => Answer | undefined

export function createReadMemo(): ReadMemo {
  const kept: Map<string, unknown>[] = []
  return {
    memoize(keyOf, read) {
      const answers = new Map<string, NonNullable<ReturnType<typeof read>>>()
      kept.push(answers)
      return (argument) => {
        const key = keyOf(argument)
        const known = answers.get(key)
        if (known !== undefined) return known
        const answer = read(argument)
        if (answer !== undefined && answer !== null) answers.set(key, answer)
        return answer
      }
    },
    clear() {
      for (const answers of kept) answers.clear()
    }
  }
}
