import { t } from '@lingui/core/macro'
import { memo } from 'react'
import { justSavedBy } from '../../../lib/agents.ts'
import { besideTitle, siteInLetters, siteLabel, titleOf } from '../../../lib/labels.ts'
import cell from './cell.module.css'
import {
  cellProps,
  ItemDate,
  type ItemProps,
  ItemTags,
  ItemTitle,
  LinkMark,
  Marked,
  RowActions,
  SelectBox,
  StateMarks
} from './cell.tsx'
import { ColorForms, Cover, Tile } from './cover.tsx'
import { fromMatch } from './excerpts.ts'
import classes from './item.module.css'

/** Maximum length of the part of a text in which words are marked, in UTF-16 code units. */
const MAX_SEARCHED_LENGTH = 4000

/** A bookmark in the list: a line with its title, and a line with its site and its note. */
export const Row = memo(function Row(item: ItemProps) {
  const { bookmark, selected, pointed, tagRoom, dated, words } = item
  const { type, domain, tags, organization, visibility, content } = bookmark
  const note = bookmark.snippet ?? (bookmark.description || (type === 'text' ? content : ''))
  const name = titleOf(bookmark)
  const more = fromMatch(besideTitle(note, bookmark).slice(0, MAX_SEARCHED_LENGTH), words).slice(0, 200)
  const place = visibility === 'public' ? t`Public` : organization
  const agent = justSavedBy(bookmark)
  return (
    <div {...cellProps(item, agent !== undefined)} className={`${classes.row} ${cell.item}`}>
      <Tile bookmark={bookmark} />
      <SelectBox title={name} selected={selected} className={classes.select} />
      <div className={classes.main}>
        <div className={classes.line}>
          <StateMarks bookmark={bookmark} />
          <ItemTitle bookmark={bookmark} words={words} className={classes.title} />
        </div>
        <div className={`${cell.meta} ${classes.meta}`}>
          {agent !== undefined && <span className={cell.by}>{t`by ${agent}`}</span>}
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
            <span className={cell.note} dir="auto">
              <Marked text={more} words={words} />
            </span>
          )}
        </div>
      </div>
      <ItemTags tags={tags} room={tagRoom} className={classes.tags} />
      {pointed ? (
        <RowActions bookmark={bookmark} />
      ) : (
        <ItemDate bookmark={bookmark} dated={dated} className={classes.date} />
      )}
    </div>
  )
})

/** A bookmark in the grid: its picture with its name below; without a picture, its name, description and tags. */
export const Card = memo(function Card(item: ItemProps) {
  const { bookmark, selected, pointed, words, tagRoom, dated, width, height } = item
  const { type, title, domain, content, description, tags, preview } = bookmark
  const agent = justSavedBy(bookmark)
  const hasCover = preview !== null || type === 'color'
  const text = hasCover ? '' : type === 'text' ? content : besideTitle(description, bookmark)
  return (
    <div {...cellProps(item, agent !== undefined)} className={`${classes.card} ${cell.item}`} style={{ width, height }}>
      {hasCover && <Cover bookmark={bookmark} />}
      <SelectBox title={titleOf(bookmark)} selected={selected} className={classes.cardSelect} />
      <div className={classes.cardText} data-cover={hasCover || undefined} data-color={type === 'color' || undefined}>
        <div className={classes.line}>
          {!hasCover && <Tile bookmark={bookmark} />}
          <StateMarks bookmark={bookmark} />
          {/* A text without a title begins with what would be its title. */}
          {(type !== 'text' || title !== '') && (
            <ItemTitle bookmark={bookmark} words={words} className={classes.cardTitle} />
          )}
        </div>
        {text && (
          <div className={classes.cardNote} dir="auto">
            <Marked text={text.slice(0, 200)} words={words} />
          </div>
        )}
        <div className={`${cell.meta} ${classes.cardMeta}`}>
          {agent !== undefined && <span className={cell.by}>{t`by ${agent}`}</span>}
          <LinkMark mark={bookmark.link} />
          {type === 'color' && <ColorForms color={content} title={titleOf(bookmark)} />}
          {domain && <span className={cell.note}>{siteLabel(bookmark)}</span>}
          {type !== 'color' && !(dated && domain) && <ItemDate bookmark={bookmark} dated={dated} />}
        </div>
        <ItemTags tags={tags} room={tagRoom} className={classes.cardTags} />
      </div>
      {pointed && <RowActions bookmark={bookmark} />}
    </div>
  )
})
