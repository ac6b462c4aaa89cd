import { bookmarks as strings } from '../strings/bookmarks.ts'
import type { ShownBookmark } from './bookmark-data.ts'
import { addressInLetters } from './letters.ts'

/** Returns the title of a bookmark. If it has none: its address, or the first line of its text or color. */
export function titleOf({ title, url, content }: Pick<ShownBookmark, 'title' | 'url' | 'content'>): string {
  return addressInLetters(title || url || /\S.{0,199}/u.exec(content)?.[0] || strings.untitled)
}

/** Returns what a note says beside the title: of an untitled text, what follows the line that stands for it. */
export function besideTitle(note: string, bookmark: Pick<ShownBookmark, 'title' | 'url' | 'content'>): string {
  const [name, trimmed] = [titleOf(bookmark), note.trim()]
  if (trimmed === name) return ''
  return bookmark.title === '' && trimmed.startsWith(name) ? trimmed.slice(name.length) : note
}
