/** Computes an answer once for each key. */
export function memoize<Key, Answer>(find: (key: Key) => Answer): (key: Key) => Answer {
  const known = new Map<Key, Answer>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const answer = find(key)
    known.set(key, answer)
    return answer
  }
}
