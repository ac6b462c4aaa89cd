// biome-ignore-all lint/a11y/useSemanticElements: a table has rows that are all there, and no cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the cell that keys act on
import { memo } from 'react'
import { isState } from '../../../../src-main/contract/state-tags.ts'
import { dateInGroup, exactDate, listDate } from '../../../shared/dates.ts'
import { siteInLetters } from '../../../shared/letters.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { list } from '../../../strings/format.ts'
import { ColorForms } from './color-forms.tsx'
import { dayOf, type ItemProps, itemId } from './item.ts'
import { ItemTitle, titleOf } from './item-title.tsx'
import fresh from './just-saved.module.css'
import { justSavedBy } from './just-saved.ts'
import { LinkMark } from './link-mark.tsx'
import { Marked } from './marked.tsx'
import classes from './row.module.css'
import { RowActions } from './row-actions.tsx'
import { SelectBox } from './select-box.tsx'
import { siteLabel } from './site-label.ts'
import { StateMarks } from './state-marks.tsx'
import { tagsThatFit } from './tags-that-fit.ts'
import { Tile } from './tile.tsx'

/** A bookmark in the list: one line to recognise it by, one to place it. */
export const Row = memo(function Row({
  bookmark,
  index,
  selected,
  active,
  opened,
  pointed,
  tagRoom,
  dated,
  words
}: ItemProps) {
  const { type, title, domain, tags, organization, visibility, content } = bookmark
  const note = bookmark.snippet ?? (bookmark.description || (type === 'text' ? content : ''))
  const more = note.trim() === title ? '' : note.slice(0, 200)
  const place = visibility === 'public' ? strings.visibilities.public : organization
  const ownTags = tags.filter((tag) => !isState(tag))
  const shownTags = tagsThatFit(ownTags, tagRoom)
  const agent = justSavedBy(bookmark)
  return (
    <div
      role="gridcell"
      draggable={bookmark.deletedAt === null}
      id={itemId(bookmark)}
      className={`${classes.row} ${fresh.item}`}
      data-new={agent !== undefined || undefined}
      data-index={index}
      data-active={active || undefined}
      data-opened={opened || undefined}
      data-pointed={pointed || undefined}
      aria-current={opened || undefined}
      aria-selected={selected}
    >
      <span className={classes.picture}>
        <Tile bookmark={bookmark} />
        <span className={classes.select}>
          <SelectBox title={titleOf(bookmark)} selected={selected} />
        </span>
      </span>
      <div className={classes.main}>
        <div className={classes.line}>
          <StateMarks bookmark={bookmark} />
          <ItemTitle bookmark={bookmark} words={words} className={classes.title} />
        </div>
        <div className={classes.meta}>
          {agent !== undefined && <span className={fresh.by}>{strings.by(agent)}</span>}
          <LinkMark mark={bookmark.link} />
          {domain && (
            <button
              type="button"
              tabIndex={-1}
              data-act="domain"
              data-value={domain}
              title={strings.onlySite(siteInLetters(domain))}
            >
              {siteLabel(bookmark)}
            </button>
          )}
          {place && <span className={classes.place}>{place}</span>}
          {type === 'color' && <ColorForms color={content} />}
          {more && (
            <span className={classes.note}>
              <Marked text={more} words={words} />
            </span>
          )}
        </div>
      </div>
      {ownTags.length > 0 && (
        <div className={classes.tags}>
          {shownTags.map((tag) => (
            <button key={tag} type="button" tabIndex={-1} data-act="tag" data-value={tag} title={strings.onlyTag(tag)}>
              {tag}
            </button>
          ))}
          {ownTags.length > shownTags.length && (
            <span title={list.format(ownTags.slice(shownTags.length))}>+{ownTags.length - shownTags.length}</span>
          )}
        </div>
      )}
      <time className={classes.date} dateTime={dayOf(bookmark)} title={exactDate(dayOf(bookmark))}>
        {dated ? dateInGroup(dayOf(bookmark)) : listDate(dayOf(bookmark))}
      </time>
      {pointed && <RowActions bookmark={bookmark} />}
    </div>
  )
})
