import type { Bookmark } from './bookmark.ts'

/** A color or an image among the owner's, and how different it looks: 0 is the same. */
export interface SimilarColor {
  distance: number
  bookmark: Bookmark
}
