/** Answers that are remembered at most. */
const MOST = 100

/**
 * Does a request once, however often it is sent with the same token: a double click, or a request that is sent again
 * because its answer was lost. The others get the first one's answer. What failed may be tried again.
 */
export function onceEach<Answer>() {
  const answers = new Map<string, Promise<Answer>>()
  return (token: string | undefined, run: () => Promise<Answer>): Promise<Answer> => {
    if (token === undefined) return run()
    const known = answers.get(token)
    if (known) return known
    const answer = run()
    answers.set(token, answer)
    answer.catch(() => answers.delete(token))
    const [oldest] = answers.keys()
    if (answers.size > MOST && oldest !== undefined) answers.delete(oldest)
    return answer
  }
}
