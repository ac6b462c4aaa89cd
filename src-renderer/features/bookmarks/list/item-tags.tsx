import { isState } from '../../../../src-main/contract/tag-names.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { list } from '../../../strings/format.ts'
import classes from './item-tags.module.css'
import { tagsThatFit } from './tags-that-fit.ts'

interface ItemTagsProps {
  tags: string[]
  /** How many letters of them fit. */
  room: number
  className: string | undefined
}

/** The tags that fit, without states, and how many more there are. A click filters by one. */
export function ItemTags({ tags, room, className = '' }: ItemTagsProps) {
  const all = tags.filter((tag) => !isState(tag))
  if (all.length === 0) return null
  const shown = tagsThatFit(all, room)
  return (
    <div className={`${classes.tags} ${className}`}>
      {shown.map((tag) => (
        <button key={tag} type="button" tabIndex={-1} data-act="tag" data-value={tag} title={strings.onlyTag(tag)}>
          {tag}
        </button>
      ))}
      {all.length > shown.length && (
        <span title={list.format(all.slice(shown.length))}>+{all.length - shown.length}</span>
      )}
    </div>
  )
}
