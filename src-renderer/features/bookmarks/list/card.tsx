import { t } from '@lingui/core/macro'
import { memo } from 'react'
import { justSavedBy } from '../../../lib/agents.ts'
import { listDate } from '../../../lib/dates.ts'
import { siteLabel, titleOf } from '../../../lib/labels.ts'
import classes from './card.module.css'
import { ColorForms, Cover } from './cover.tsx'
import { cellProps, dayOf, type ItemProps, ItemTags, ItemTitle, LinkMark, SelectBox, StateMarks } from './item.tsx'
import fresh from './just-saved.module.css'
import { RowActions } from './row-actions.tsx'

/** A bookmark in the grid: its picture, its name, where it is from, its tags. */
export const Card = memo(function Card(item: ItemProps) {
  const { bookmark, selected, pointed, words, tagRoom } = item
  const { type, title, domain, content, tags } = bookmark
  const agent = justSavedBy(bookmark)
  return (
    <div {...cellProps(item, agent !== undefined)} className={`${classes.card} ${fresh.item}`}>
      <Cover bookmark={bookmark} />
      <span className={classes.select}>
        <SelectBox title={titleOf(bookmark)} selected={selected} />
      </span>
      <div className={classes.text} data-color={type === 'color' || undefined}>
        <div>
          <StateMarks bookmark={bookmark} />
          {/* The cover of a text begins with what would be its title. */}
          {(type !== 'text' || title !== '') && (
            <ItemTitle bookmark={bookmark} words={words} className={classes.title} />
          )}
        </div>
        <div className={classes.meta}>
          {agent !== undefined && <span className={fresh.by}>{t`by ${agent}`}</span>}
          {type === 'color' ? (
            <ColorForms color={content} title={titleOf(bookmark)} />
          ) : (
            <>
              <LinkMark mark={bookmark.link} />
              <span className={classes.domain}>{domain ? siteLabel(bookmark) : ''}</span>
              <time dateTime={dayOf(bookmark)}>{listDate(dayOf(bookmark))}</time>
            </>
          )}
        </div>
        <ItemTags tags={tags} room={tagRoom} className={classes.tags} />
      </div>
      {pointed && <RowActions bookmark={bookmark} />}
    </div>
  )
})
