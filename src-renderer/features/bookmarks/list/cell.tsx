// biome-ignore-all lint/a11y/useSemanticElements: a table would need all of its rows, and cannot have cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the cell that keys act on
import { t } from '@lingui/core/macro'
import type { LinkMark as Mark } from '../../../../src-main/contract/link-check.ts'
import { isState, type State } from '../../../../src-main/contract/tag-names.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import { dateInGroup, exactDate, listDate } from '../../../lib/dates.ts'
import { hasState, LINK_MARKS, openable, STATE_NAMES, titleOf } from '../../../lib/labels.ts'
import { i18n, list } from '../../../lib/locale.ts'
import type { Icon } from '../../../ui/icons/icon.tsx'
import {
  IconArchive,
  IconCopy,
  IconExternalLink,
  IconPencil,
  IconRestore,
  IconStar,
  IconTrash
} from '../../../ui/icons/icons.ts'
import classes from './cell.module.css'
import { markedParts, tagsThatFit } from './excerpts.ts'

/** Props of a row or a card. The list handles their clicks: a listener for each would double the cost of rendering. */
export interface ItemProps {
  bookmark: ShownBookmark
  index: number
  selected: boolean
  /** Whether keys act on it. */
  active: boolean
  /** Whether its panel is open. */
  opened: boolean
  /** Whether it is under the pointer. */
  pointed: boolean
  /** Size of a card, in pixels. */
  width?: number | undefined
  height?: number | undefined
  /** The number of letters of tags that fit. */
  tagRoom: number
  /** Whether a heading above it shows its date. */
  dated: boolean
  /** The words of the search. */
  words: string[]
}

/** Returns the date that a list shows for a bookmark. In the trash, that is when it was deleted. */
export function dayOf({ createdAt, deletedAt }: Pick<ShownBookmark, 'createdAt' | 'deletedAt'>): string {
  return deletedAt ?? createdAt
}

/** The effect of a click on a part of an item, named by its `data-act`, with `data-value`. */
export type Act = 'select' | 'open' | 'tag' | 'domain' | 'copy' | 'edit' | 'delete' | 'restore'

/** Returns the attributes of an item's cell for the list, for styles and for screen readers. */
export function cellProps({ bookmark, index, selected, active, opened, pointed }: ItemProps, isNew: boolean) {
  return {
    role: 'gridcell',
    draggable: bookmark.deletedAt === null,
    id: itemId(bookmark),
    'data-new': isNew || undefined,
    'data-index': index,
    'data-active': active || undefined,
    'data-opened': opened || undefined,
    'data-pointed': pointed || undefined,
    'aria-current': opened || undefined,
    'aria-selected': selected
  }
}

/** Returns the id of an item's element. It stays the same when the item moves. */
export function itemId({ id }: { id: string }): string {
  return `bookmark-${id}`
}

interface ItemTagsProps {
  tags: string[]
  /** The number of letters that fit. */
  room: number
  className: string | undefined
}

/** The tags that fit, without states, and the number of others. A click on a tag filters by it. */
export function ItemTags({ tags, room, className = '' }: ItemTagsProps) {
  const all = tags.filter((tag) => !isState(tag))
  if (all.length === 0) return null
  const shown = tagsThatFit(all, room)
  return (
    <div className={`${classes.tags} ${className}`}>
      {shown.map(({ tag, leaf, parents }) => (
        <button key={tag} type="button" tabIndex={-1} data-act="tag" data-value={tag} title={t`Only tag ${tag}`}>
          {leaf}
          {parents && <small> {parents}</small>}
        </button>
      ))}
      {all.length > shown.length && (
        <span title={list.format(all.slice(shown.length))}>+{all.length - shown.length}</span>
      )}
    </div>
  )
}

/** A bookmark's title, which links to its page if it has one. */
export function ItemTitle({ bookmark, words, className }: ItemTitleProps) {
  const address = openable(bookmark.url)
  const name = <Marked text={titleOf(bookmark)} words={words} />
  const classNames = `${classes.title} ${className}`
  if (!address)
    return (
      <span className={classNames} dir="auto">
        {name}
      </span>
    )
  return (
    <a className={classNames} dir="auto" href={address} target="_blank" rel="noreferrer" tabIndex={-1} data-act="open">
      {name}
    </a>
  )
}

/** The date of a bookmark, without the part that a heading shows. */
export function ItemDate({
  bookmark,
  dated,
  className
}: Pick<ItemProps, 'bookmark' | 'dated'> & { className?: string }) {
  const day = dayOf(bookmark)
  return (
    <time className={className} dateTime={day} title={exactDate(day)}>
      {dated ? dateInGroup(day) : listDate(day)}
    </time>
  )
}

interface ItemTitleProps {
  bookmark: ShownBookmark
  /** The words to mark in it. */
  words: string[]
  className: string | undefined
}

/** A text in which the words of a search are marked. HTML in it is shown as text. */
export function Marked({ text, words }: { text: string; words: string[] }) {
  if (words.length === 0) return text
  let end = 0
  return markedParts(text, words).map((part) => {
    end += part.text.length
    return part.match ? <mark key={end}>{part.text}</mark> : part.text
  })
}

/** Shows that a bookmark's link is broken, or that its page has moved. */
export function LinkMark({ mark }: { mark: Mark | null }) {
  return mark && <span className={classes[mark]}>{i18n._(LINK_MARKS[mark])}</span>
}

/** The states of a bookmark, before its title. */
export function StateMarks({ bookmark }: { bookmark: ShownBookmark }) {
  if (bookmark.tags.length === 0) return null
  const mark = (state: State, sign: React.ReactNode) =>
    hasState(bookmark, state) && (
      <span
        className={classes.mark}
        data-state={state}
        role="img"
        aria-label={i18n._(STATE_NAMES[state])}
        title={i18n._(STATE_NAMES[state])}
      >
        {sign}
      </span>
    )
  return (
    <>
      {mark('unread', <span className={classes.dot} />)}
      {mark('favorite', <IconStar size={14} stroke={1.8} />)}
      {mark('archived', <IconArchive size={14} stroke={1.8} />)}
    </>
  )
}

interface SelectBoxProps {
  title: string
  selected: boolean
  className: string | undefined
}

/** Selects a bookmark. Visible under the pointer and while it is selected. */
export function SelectBox({ title, selected, className }: SelectBoxProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={selected}
      aria-label={t`Select ${title}`}
      className={`${classes.box} ${className}`}
      data-act="select"
      tabIndex={-1}
    />
  )
}

/** The actions for the bookmark under the pointer, in place of its date. All of them also have keys. */
export function RowActions({ bookmark }: { bookmark: ShownBookmark }) {
  const { url, content, picture, deletedAt } = bookmark
  const address = openable(url)
  const title = titleOf(bookmark)
  if (deletedAt !== null) {
    return (
      <div className={classes.actions}>
        <Action act="restore" icon={IconRestore} hint={t`Restore`} label={t`Restore ${title}`} />
        <Action act="delete" icon={IconTrash} hint={t`Delete permanently`} label={t`Delete ${title} permanently`} />
      </div>
    )
  }
  return (
    <div className={classes.actions}>
      {address && <Action act="open" href={address} icon={IconExternalLink} hint={t`Open`} label={t`Open ${title}`} />}
      {picture === null && (
        <Action act="copy" value={url ?? content} icon={IconCopy} hint={t`Copy`} label={t`Copy ${title}`} />
      )}
      <Action act="edit" icon={IconPencil} hint={t`Edit`} label={t`Edit ${title}`} />
      <Action act="delete" icon={IconTrash} hint={t`Delete`} label={t`Delete ${title}`} />
    </div>
  )
}

interface ActionProps {
  act: Act
  value?: string
  /** The address, if the action is a link. */
  href?: string
  icon: Icon
  hint: string
  label: string
}

function Action({ act, value, href, icon: Icon, hint, label }: ActionProps) {
  const props = { tabIndex: -1, 'data-act': act, title: hint, 'aria-label': label }
  const icon = <Icon size={17} stroke={1.6} />
  return href === undefined ? (
    <button type="button" data-value={value} {...props}>
      {icon}
    </button>
  ) : (
    <a href={href} target="_blank" rel="noreferrer" {...props}>
      {icon}
    </a>
  )
}
