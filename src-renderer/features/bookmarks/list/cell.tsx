// biome-ignore-all lint/a11y/useSemanticElements: a table has rows that are all there, and no cards
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

/** Props of a row and a card. The list hears their clicks: a listener for each would cost as much as they do. */
export interface ItemProps {
  bookmark: ShownBookmark
  index: number
  selected: boolean
  /** The one that keys act on. */
  active: boolean
  /** Its panel is open. */
  opened: boolean
  /** The one under the pointer. */
  pointed: boolean
  /** Size of a card, in pixels. */
  width?: number | undefined
  height?: number | undefined
  /** How many letters of tags fit beside the title. */
  tagRoom: number
  /** Whether it stands under a heading that says its day. */
  dated: boolean
  /** The words searched for. */
  words: string[]
}

/** The day that a list shows of a bookmark. */
export function dayOf({ createdAt, deletedAt }: Pick<ShownBookmark, 'createdAt' | 'deletedAt'>): string {
  return deletedAt ?? createdAt
}

/** The effect of a click on a part of an item, named by its `data-act`, with `data-value`. */
export type Act = 'select' | 'open' | 'tag' | 'domain' | 'copy' | 'edit' | 'delete' | 'restore'

/** Returns the attributes by which the list, its styles and screen readers know an item's cell. */
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

/** The element of an item. It stays the same where the list moves. */
export function itemId({ id }: { id: string }): string {
  return `bookmark-${id}`
}

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

/** A bookmark's title, which leads to its page where it has one. */
export function ItemTitle({ bookmark, words, className }: ItemTitleProps) {
  const address = openable(bookmark.url)
  const name = <Marked text={titleOf(bookmark)} words={words} />
  const look = `${classes.title} ${className}`
  if (!address)
    return (
      <span className={look} dir="auto">
        {name}
      </span>
    )
  return (
    <a className={look} dir="auto" href={address} target="_blank" rel="noreferrer" tabIndex={-1} data-act="open">
      {name}
    </a>
  )
}

/** The day of a bookmark; its time if a heading names the day. */
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

/** A text with what was searched for marked in it. Always text, whatever it holds. */
export function Marked({ text, words }: { text: string; words: string[] }) {
  if (words.length === 0) return text
  let at = 0
  return markedParts(text, words).map((part) => {
    at += part.text.length
    return part.match ? <mark key={at}>{part.text}</mark> : part.text
  })
}

/** Says that a bookmark's page is gone, or lies elsewhere. */
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

/** The actions for the bookmark under the pointer, instead of its date. Keys do all of them, too. */
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
  /** Makes it a link. */
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
