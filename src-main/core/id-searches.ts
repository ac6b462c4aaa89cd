/** Searches that name one bookmark by its id: `id:ID WORDS` reads it, `like:ID` finds similar ones. */

/** Parses the search `id:ID WORDS`. Returns a hint if it is invalid, and `undefined` for every other search. */
export function readingIn(search: string | undefined): { id: string; words: string } | { hint: string } | undefined {
  const argument = /^\s*id:\s*(.*)$/is.exec(search ?? '')?.[1]
  if (argument === undefined) return undefined
  const [, id, words = ''] = /^([\w-]{16})(?![\w-])(.*)$/s.exec(argument) ?? []
  if (id === undefined) return { hint: NO_ID }
  if (/^[\s,;]*(?:OR\s+|AND\s+)?(?:id:|[,;]\s*[\w-]{16}\s*$)/i.test(words)) return { hint: ONE_ID }
  return { id, words: words.trim() }
}

const NO_ID = 'That is not an id. An id has 16 letters, digits, - or _, and each bookmark in a result has one.'

const ONE_ID = 'Only one bookmark can be read at a time: search for the first id:ID, then for the next.'

/** Parses the search `like:ID`. Returns a hint if it is invalid, and `undefined` for every other search. */
export function likeIn(search: string | undefined): { id: string } | { hint: string } | undefined {
  const id = /^\s*like:\s*(.*?)\s*$/is.exec(search ?? '')?.[1]
  if (id === undefined) return undefined
  return /^[\w-]{16}$/.test(id) ? { id } : { hint: NOT_ALONE }
}

const NOT_ALONE = 'like: takes the id of one bookmark and nothing else. Use the id from a search result.'
