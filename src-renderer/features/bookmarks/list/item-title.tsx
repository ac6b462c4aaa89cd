import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { titleOf } from '../../../shared/title-of.ts'
import { openable } from '../look.ts'
import { Marked } from './marked.tsx'

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
