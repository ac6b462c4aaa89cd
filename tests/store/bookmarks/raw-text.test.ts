/** Whatever is typed is a search: nothing of it reaches SQLite's full-text language raw. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { runs } from '../../support/runs.ts'
import { emptyLibrary, link, PRIVATE } from '../library.ts'

const piece = fc.oneof(
  fc.constantFrom('"', '""', '*', '^', '-', '+', '(', ')', '{', '}', ':', 'AND', 'OR', 'NOT', 'NEAR', 'NEAR(a b, 2)'),
  fc.constantFrom(
    'title',
    'title:',
    '{title tags}:',
    '- title:',
    "'",
    ';',
    '--',
    '/*',
    '\\',
    '\0',
    '\ue000',
    '\ue000klink'
  ),
  fc.constantFrom('rust', 'go', '日本', '日', '検', 'é', 'ｆｕｌｌ', '👍', '\ud800', '\u200b', '\u0301', 'İ', 'ß', ' '),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 })
)
const typed = fc
  .array(piece, { maxLength: 60, size: 'max' })
  .chain((pieces) => fc.constantFrom(pieces.join(''), pieces.join(' ')))

test('any text is a search that ends without an error', { timeout: 600_000 }, () => {
  const library = emptyLibrary()
  library.saveBookmarks(
    PRIVATE,
    ['rust title', '日本語', 'NEAR miss', 'a "quoted" word'].map((title, index) =>
      link(`https://a.example/${index}`, { title, tags: ['go'] })
    )
  )
  fc.assert(
    fc.property(typed, fc.boolean(), (words, typing) => {
      const { total, bookmarks } = library.searchBookmarks(PROFILE, { words, typing, page: 1, limit: 5 })
      expect(total).toBeGreaterThanOrEqual(bookmarks.length)
    }),
    { numRuns: runs(250, 10_000) }
  )
})
