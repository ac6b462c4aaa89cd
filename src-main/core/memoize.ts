/** Asks once for each name. */
export function remembered<Name, Answer>(find: (name: Name) => Answer): (name: Name) => Answer {
  const known = new Map<Name, Answer>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const answer = find(name)
    known.set(name, answer)
    return answer
  }
}
