/** Letters that a tag's own edges, and what says how many more there are, take the room of. */
const EDGES = 3
const MAX_TAG_LENGTH = 16

/**
 * The first tags that fit side by side, without the rest. A long one counts as what is shown of it.
 *
 * @param room in letters
 */
export function tagsThatFit(tags: readonly string[], room: number): readonly string[] {
  let left = room
  const fitting = tags.findIndex((tag) => {
    left -= Math.min(tag.length, MAX_TAG_LENGTH) + EDGES
    return left < 0
  })
  return fitting === -1 ? tags : tags.slice(0, fitting)
}
