import { t } from '@lingui/core/macro'
import { type CSSProperties, memo } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { justSavedBy } from '../../../lib/agents.ts'
import { dateInGroup, exactDate, listDate } from '../../../lib/dates.ts'
import { besideTitle, repositoryOf, siteInLetters, siteLabel, titleOf } from '../../../lib/labels.ts'
import { IconPhoto, IconTextCaption } from '../../../ui/icons/icons.ts'
import { ColorForms, hueOf, initialOf, Picture, Swatch } from './cover.tsx'
import {
  cellProps,
  dayOf,
  type ItemProps,
  ItemTags,
  ItemTitle,
  LinkMark,
  Marked,
  SelectBox,
  StateMarks
} from './item.tsx'
import fresh from './just-saved.module.css'
import { fromMatch } from './marked-parts.ts'
import classes from './row.module.css'
import { RowActions } from './row-actions.tsx'

/** Maximum length of a text that is searched for the words to highlight, in UTF-16 code units. */
const MAX_SEARCHED_LENGTH = 4000

/** A bookmark in the list: one line to recognise it by, one to place it. */
export const Row = memo(function Row(item: ItemProps) {
  const { bookmark, selected, pointed, tagRoom, dated, words } = item
  const { type, domain, tags, organization, visibility, content } = bookmark
  const note = bookmark.snippet ?? (bookmark.description || (type === 'text' ? content : ''))
  const name = titleOf(bookmark)
  const more = fromMatch(besideTitle(note, bookmark).slice(0, MAX_SEARCHED_LENGTH), words).slice(0, 200)
  const place = visibility === 'public' ? t`Public` : organization
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
          {agent !== undefined && <span className={fresh.by}>{t`by ${agent}`}</span>}
          <LinkMark mark={bookmark.link} />
          {domain && (
            <button
              type="button"
              tabIndex={-1}
              data-act="domain"
              data-value={domain}
              title={t`Only ${siteInLetters(domain)}`}
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

/** A bookmark at a glance: its color, its picture, its site's icon or initial, or what kind it is. */
function Tile({ bookmark: { type, content, domain, icon, preview, url } }: { bookmark: ShownBookmark }) {
  if (type === 'color') return <Swatch color={content} className={classes.tile} />
  if (type === 'text') {
    return (
      <span className={classes.tile} data-plain>
        <IconTextCaption size={15} stroke={1.6} />
      </span>
    )
  }
  const site = repositoryOf(url) ?? siteInLetters(domain ?? '')
  const hue = { '--hue': hueOf(site) } as CSSProperties
  const plain = (
    <span className={classes.tile} style={hue}>
      {type === 'image' ? <IconPhoto size={15} stroke={1.6} /> : initialOf(site)}
    </span>
  )
  const name = type === 'image' ? preview : icon
  if (name === null) return plain
  return (
    <span className={classes.tile} data-plain data-filled={type === 'image' || undefined}>
      <Picture name={name} className={classes.icon ?? ''}>
        {plain}
      </Picture>
    </span>
  )
}
