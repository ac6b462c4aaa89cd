import { memo } from 'react'
import { dateInGroup, exactDate, listDate } from '../../../shared/dates.ts'
import { siteInLetters } from '../../../shared/letters.ts'
import { besideTitle, titleOf } from '../../../shared/title-of.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { ColorForms } from './color-forms.tsx'
import { cellProps, dayOf, type ItemProps } from './item.ts'
import { ItemTags } from './item-tags.tsx'
import { ItemTitle } from './item-title.tsx'
import fresh from './just-saved.module.css'
import { justSavedBy } from './just-saved.ts'
import { LinkMark } from './link-mark.tsx'
import { Marked } from './marked.tsx'
import { fromMatch } from './marked-parts.ts'
import classes from './row.module.css'
import { RowActions } from './row-actions.tsx'
import { SelectBox } from './select-box.tsx'
import { siteLabel } from './site-label.ts'
import { StateMarks } from './state-marks.tsx'
import { Tile } from './tile.tsx'

/** Maximum length of a text that is searched for the words to highlight, in UTF-16 code units. */
const MAX_SEARCHED_LENGTH = 4000

/** A bookmark in the list: one line to recognise it by, one to place it. */
export const Row = memo(function Row(item: ItemProps) {
  const { bookmark, selected, pointed, tagRoom, dated, words } = item
  const { type, domain, tags, organization, visibility, content } = bookmark
  const note = bookmark.snippet ?? (bookmark.description || (type === 'text' ? content : ''))
  const name = titleOf(bookmark)
  const more = fromMatch(besideTitle(note, bookmark).slice(0, MAX_SEARCHED_LENGTH), words).slice(0, 200)
  const place = visibility === 'public' ? strings.visibilities.public : organization
  const agent = justSavedBy(bookmark)
  return (
    <div {...cellProps(item, agent !== undefined)} className={`${classes.row} ${fresh.item}`}>
      <span className={classes.picture}>
        <Tile bookmark={bookmark} />
        <span className={classes.select}>
          <SelectBox title={name} selected={selected} />
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
          {type === 'color' && <ColorForms color={content} title={name} />}
          {more && (
            <span className={classes.note}>
              <Marked text={more} words={words} />
            </span>
          )}
        </div>
      </div>
      <ItemTags tags={tags} room={tagRoom} className={classes.tags} />
      <time className={classes.date} dateTime={dayOf(bookmark)} title={exactDate(dayOf(bookmark))}>
        {dated ? dateInGroup(dayOf(bookmark)) : listDate(dayOf(bookmark))}
      </time>
      {pointed && <RowActions bookmark={bookmark} />}
    </div>
  )
})
