/** What a question leaves out in words, as “but not the official one” does. */
export interface ExclusionPhrase {
  /** The question with `-word` in its place. */
  words: string
  /** As it was typed. */
  typed: string
  excluded: string
}

const ONES = '(?: (?:one|ones|version|versions|edition))?'
const WORD = "([\\p{L}\\p{N}][\\p{L}\\p{N}.+#'-]*)"

/** “but not the official one”, “without ads”, at the end of a question. */
const PATTERNS = [
  RegExp(
    `[, ]+(?:but |and )?(?:not|no) (?:the |a |an |from |by |in )?${WORD} (?:one|ones|version|versions|edition)$`,
    'iu'
  ),
  RegExp(`[, ]+but (?:not|no|isn't|is not) (?:the |a |an |from |by |in |for )?${WORD}${ONES}$`, 'iu'),
  RegExp(`[, ]+(?:without|except|excluding|other than) (?:the |a |an |from |any )?${WORD}${ONES}$`, 'iu')
]

/** @returns `undefined` where nothing is left out, or something stands in quotes */
export function readExclusion(text: string): ExclusionPhrase | undefined {
  if (text.includes('"')) return undefined
  const plain = text.trim().replace(/[?.!]+$/, '')
  for (const pattern of PATTERNS) {
    const match = pattern.exec(plain)
    const [typed = '', excluded = ''] = match ?? []
    if (match && match.index > 0)
      return { words: `${plain.slice(0, match.index)} -${excluded}`, typed: typed.replace(/^[, ]+/, ''), excluded }
  }
  return undefined
}
