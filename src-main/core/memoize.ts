/** Computes the answer for each key once. An `undefined` answer is computed again. */
export function memoize<Key, Answer>(find: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new Map<Key, Answer>()
  return (key) => {
    const cached = answers.get(key)
    if (cached !== undefined) return cached
    const answer = find(key)
    answers.set(key, answer)
    return answer
  }
}
