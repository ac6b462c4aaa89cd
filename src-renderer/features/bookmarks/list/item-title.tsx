import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { addressInLetters } from '../../../shared/letters.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { openable } from '../look.ts'
import { Marked } from './marked.tsx'

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

/** A bookmark's title, which leads to its page where it has one. */
export function ItemTitle({ bookmark, words, className }: ItemTitleProps) {
  const address = openable(bookmark.url)
  const name = <Marked text={titleOf(bookmark)} words={words} />
  if (!address) return <span className={className}>{name}</span>
  return (
    <a className={className} href={address} target="_blank" rel="noreferrer" tabIndex={-1} data-act="open">
      {name}
    </a>
  )
}

interface ItemTitleProps {
  bookmark: ShownBookmark
  /** The words to mark in it. */
  words: string[]
  className: string | undefined
}
