/** Computes the answer for each key once. An `undefined` answer is computed again. */
export function memoize<Key, Answer>(find: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new Map<Key, Answer>()
  return (key) => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = find(key)
    answers.set(key, answer)
    return answer
  }
}
