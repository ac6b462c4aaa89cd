import { type BookmarkType, TRASH_DAYS, type Visibility } from '../../src-main/contract/bookmark.ts'
import type { State } from '../../src-main/contract/tag-names.ts'
import { common } from './common.ts'
import { fileSize, number, plural } from './format.ts'

const named = (count: number, name: string | undefined) =>
  name && count === 1 ? `“${short(name)}”` : common.bookmarks(count)
const short = (name: string) => (name.length <= 60 ? name : `${name.slice(0, 59)}…`)

const quoted = (tags: string[]) => tags.map((tag) => `“${short(tag)}”`).join(', ')

/** Bookmarks: lists, search, the panel to edit one, the trash. */
export const bookmarks = {
  types: { link: 'Link', image: 'Image', color: 'Color', text: 'Text' } satisfies Record<BookmarkType, string>,
  visibilities: { private: 'Private', organization: 'Organization', public: 'Public' } satisfies Record<
    Visibility,
    string
  >,
  untitled: 'Untitled',
  search: 'Search bookmarks',
  searchHint: 'Search titles, tags, addresses and text',
  clearSearch: 'Clear search',
  filters: 'Filters',
  filter: 'Filter',
  filterBy: 'Filter bookmarks by',
  tag: 'Tag',
  tags: 'Tags',
  anyTag: 'Any tag',
  untagged: 'Without tags',
  date: 'Saved',
  anyDate: 'Any time',
  lastDays: (days: number) => (days === 1 ? 'Today' : `Last ${number(days)} days`),
  between: 'Between',
  from: 'From',
  to: 'To',
  since: (day: string) => `Since ${day}`,
  until: (day: string) => `Until ${day}`,
  opened: 'Recently opened',
  lastOpenedFirst: 'Last opened first',
  domain: 'Site',
  domainHint: 'example.com',
  visibility: 'Visibility',
  anyVisibility: 'Any visibility',
  organization: 'Organization',
  anyOrganization: 'Any organization',
  removeFilter: (name: string) => `Remove filter ${name}`,
  clearFilters: 'Clear filters',
  order: 'Order',
  orders: { newest: 'Newest first', oldest: 'Oldest first', title: 'By title', site: 'By site', random: 'Random' },
  byRelevance: 'Best matches first',
  loosened: 'No bookmark has all of these words. Shown are those with most of them:',
  searchExactly: 'Search exactly',
  layout: 'Layout',
  layouts: { list: 'List', compact: 'Compact list', grid: 'Grid' },
  add: 'Add',
  total: (count: number, atLeast: boolean) =>
    atLeast ? `More than ${common.bookmarks(count)}` : common.bookmarks(count),
  list: 'Bookmarks',
  trashList: 'Bookmarks in the trash',
  select: (title: string) => `Select ${title}`,
  onlySite: (domain: string) => `Only ${domain}`,
  onlyTag: (tag: string) => `Only tag ${tag}`,
  failed: 'The bookmarks could not be loaded.',
  nothing: 'Nothing matches',
  nothingHere: 'Nothing here yet',
  allInTrash: 'All your bookmarks are in the trash',
  openTrash: 'Open the trash',
  nothingOfType: {
    link: 'Pages you save appear here.',
    image: 'Images you save appear here.',
    color: 'Colors you save appear here.',
    text: 'Snippets and notes you save appear here.'
  } satisfies Record<BookmarkType, string>,
  fresh: (count: number) => `${number(count)} new`,
  freshLabel: (count: number) => `${number(count)} new: show`,

  movedOn: 'That bookmark is no longer in this list.',

  selected: (count: number) => `${number(count)} selected`,
  selectAll: (count: number | undefined) => (count === undefined ? 'Select all' : `Select all ${number(count)}`),
  clearSelection: 'Clear selection',
  editTags: 'Tags',
  tagsToChange: 'Tags of the selected bookmarks',
  findTag: 'Find a tag, or name a new one',
  createTag: (name: string) => `Create “${name}”`,
  tagOn: { all: 'on all', some: 'on some', none: 'on none' },
  tagOf: (name: string, on: string) => `${name}, ${on}`,
  tagShare: (count: number, total: number) => `${number(count)} of ${number(total)}`,
  applyTags: 'Apply',
  noTags: 'No tag of that name',
  more: 'More',
  palette: {
    tag: (count: number) => `Tag ${number(count)} selected`,
    move: (count: number) => `Move ${number(count)} selected`,
    turn: {
      favorite: (count: number) => `Add to or remove from favorites: ${number(count)} selected`,
      unread: (count: number) => `Mark as unread or read: ${number(count)} selected`,
      archived: (count: number) => `Archive or unarchive: ${number(count)} selected`
    } satisfies Record<State, (count: number) => string>,
    copy: (count: number) => `Copy the addresses of ${number(count)} selected`,
    export: (count: number) => `Export ${number(count)} selected`,
    delete: (count: number) => `Delete ${number(count)} selected`,
    order: (order: string) => `Sort: ${order}`,
    layout: (layout: string) => `Show as: ${layout}`
  },
  openAll: (count: number) => `Open ${number(count)} in tabs`,
  openFewer: (most: number) => `Open in tabs: ${number(most)} at most`,
  openManyTitle: 'Open that many?',
  openManyText: (count: number) => `${number(count)} tabs will be opened.`,
  openMany: 'Open all',
  openBlocked: (opened: number, count: number) =>
    `The browser let ${number(opened)} of ${number(count)} open. Allow pop-ups for this address to open all at once.`,
  nothingToOpen: 'None of these has an address to open.',
  move: 'Move',
  makePrivate: 'Private to me',
  makePublic: 'Public',
  moveTo: (organization: string) => `To ${organization}`,
  delete: 'Delete',
  restore: 'Restore',
  deleteForEver: 'Delete permanently',

  deleted: (count: number, name?: string) => `${named(count, name)} moved to the trash.`,
  restored: (count: number, name?: string) => `${named(count, name)} restored.`,
  purged: (count: number) => `${common.bookmarks(count)} deleted permanently.`,
  tagged: (count: number, added: string[], removed: string[]) =>
    added.length > 0 && removed.length > 0
      ? `Tags of ${common.bookmarks(count)} changed.`
      : added.length > 0
        ? `Tagged ${common.bookmarks(count)} with ${quoted(added)}.`
        : `Removed ${quoted(removed)} from ${common.bookmarks(count)}.`,
  states: { favorite: 'Favorite', unread: 'Unread', archived: 'Archived' } satisfies Record<State, string>,
  state: 'State',
  anyState: 'Any state',
  turnOn: { favorite: 'Add to favorites', unread: 'Mark as unread', archived: 'Archive' } satisfies Record<
    State,
    string
  >,
  turnOff: {
    favorite: 'Remove from favorites',
    unread: 'Mark as read',
    archived: 'Unarchive'
  } satisfies Record<State, string>,
  stateOn: {
    favorite: (count: number) => `${common.bookmarks(count)} added to favorites.`,
    unread: (count: number) => `${common.bookmarks(count)} marked as unread.`,
    archived: (count: number) => `${common.bookmarks(count)} archived.`
  } satisfies Record<State, (count: number) => string>,
  stateOff: {
    favorite: (count: number) => `${common.bookmarks(count)} removed from favorites.`,
    unread: (count: number) => `${common.bookmarks(count)} marked as read.`,
    archived: (count: number) => `${common.bookmarks(count)} unarchived.`
  } satisfies Record<State, (count: number) => string>,
  moved: {
    private: (count: number) => `${common.bookmarks(count)} made private.`,
    public: (count: number) => `${common.bookmarks(count)} made public.`
  },
  movedTo: (count: number, organization: string) => `${common.bookmarks(count)} moved to ${organization}.`,
  doing: {
    tags: 'Changing tags …',
    move: 'Moving bookmarks …',
    delete: 'Moving bookmarks to the trash …',
    restore: 'Restoring bookmarks …',
    purge: 'Deleting bookmarks permanently …',
    follow: 'Changing addresses …'
  },
  stopped: 'Stopped.',
  leftAlone: (count: number) => `${number(count)} not changed.`,
  samePage: (count: number) => `${number(count)} not changed: the same page is there already.`,

  row: {
    open: (title: string) => `Open ${title}`,
    copy: (title: string) => `Copy ${title}`,
    menu: 'Bookmark actions',
    select: 'Select',
    copyHint: 'Copy',
    edit: (title: string) => `Edit ${title}`,
    editHint: 'Edit',
    delete: (title: string) => `Delete ${title}`,
    restore: (title: string) => `Restore ${title}`,
    deleteForEver: (title: string) => `Delete ${title} permanently`
  },

  panel: 'Bookmark',
  panelWidth: 'Width of the panel',
  open: 'Open',
  copyLink: 'Copy a link to this bookmark',
  openNew: 'Open in a new tab',
  title: 'Title',
  url: 'Address',
  description: 'Description',
  addDescription: 'Add a description',
  content: { color: 'Color', text: 'Text' },
  saved: (date: string) => `Saved ${date}`,
  savedBy: (date: string, agent: string, key: string) => `Saved ${date} by ${agent} with the key “${key}”`,
  savedWith: (date: string, key: string) => `Saved ${date} with the key “${key}”`,
  by: (agent: string) => `by ${agent}`,
  anAgent: 'an agent',
  justSaved: (count: number, agent: string) =>
    `${plural(count, { one: 'One bookmark', other: `${number(count)} bookmarks` })} saved by ${agent}`,
  inTrashSince: (date: string) => `In the trash since ${date}`,
  fields: 'Fields',
  progress: { untouched: '', saving: 'Saving …', saved: 'Saved', refused: 'Not saved' },
  editOf: (field: 'title' | 'url' | 'description' | 'content' | 'tags' | 'place', title: string) =>
    `${{ title: 'Title', url: 'Address', description: 'Description', content: 'Content', tags: 'Tags', place: 'Visibility' }[field]} of “${title || 'Untitled'}”`,
  notSaved: (reason: string) => `What you typed is kept, but not saved: ${reason}`,
  changedElsewhere: 'This was changed elsewhere while you typed.',
  theirs: (text: string) => `It is now “${text}”.`,
  keepMine: 'Keep mine',
  takeTheirs: 'Use the other version',
  gone: 'This bookmark is no longer there.',
  trashed: 'This bookmark is in the trash.',

  addTitle: 'Add a bookmark',
  addField: 'What to save',
  addHint: 'Paste or type an address, a color, or any text',
  addType: 'Type',
  titleHint: 'Taken from the page when left empty',
  choosePicture: 'Choose a picture…',
  pasteNote: 'or paste one, such as a screenshot',
  removePicture: 'Remove the picture',
  draftKept: 'Not saved yet. What you typed is kept.',
  draftContinue: 'Continue',
  draftDiscarded: 'Discarded.',
  startOver: 'Start over',
  savedNew: 'Saved.',
  savedOpen: 'Open',
  already: 'You have this already',
  alreadyText: (title: string, date: string) => `“${title}”, saved ${date}.`,
  alreadyOpen: 'Open it',
  addTheseTags: 'Add these tags',
  useTitle: 'Use this title',
  useBoth: 'Use this title, add these tags',
  addedToExisting: 'Added to the bookmark you have.',
  several: (count: number) => `${number(count)} addresses: each becomes a bookmark.`,
  saveSeveral: (count: number) => `Save ${common.bookmarks(count)}`,

  dropHint: 'Drop to save',
  dropSaved: (saved: number, existing: number) =>
    `${plural(saved, { one: 'Saved.', other: `${common.bookmarks(saved)} saved.` })}${existing > 0 ? ` ${number(existing)} you had already.` : ''}`,
  dropExisting: (count: number) => `You have all ${number(count)} already.`,
  dropTagged: (count: number) =>
    `You have ${plural(count, { one: 'this', other: `all ${number(count)}` })} already. Tags were added.`,
  dropNoAddress: 'This picture has no address. Copy the picture itself, and paste it here.',
  dropFiles: 'Files of this type cannot be saved. Drop a picture, a link, or a text.',
  dropNothing: 'It contains nothing that can be saved.',

  trash: 'Trash',
  trashNote: `What you delete stays here for ${TRASH_DAYS} days.`,
  trashEmpty: 'The trash is empty',
  searchTrash: 'Search the trash',
  emptyTrash: 'Empty trash',
  emptyTitle: 'Empty the trash?',
  deleteManyTitle: (count: number) => `Move ${common.bookmarks(count)} to the trash?`,
  deleteManyText: `You can undo this, or restore them from the trash within ${TRASH_DAYS} days.`,
  moveToTrash: 'Move to trash',
  purgeTitle: 'Delete permanently?',
  purgeText: (count: number) => `${common.bookmarks(count)} will be deleted permanently. This cannot be undone.`,

  notShown: 'Pictures of other sites are not loaded',
  pictureFacts: (kind: string, width: number, height: number, size: number) =>
    `${kind}, ${number(width)} × ${number(height)}, ${fileSize(size)}`,
  wholePicture: 'Whole picture',
  savePicture: 'Save a copy',
  pictureColors: 'Colors of the picture',
  likeColor: (color: string) => `Colors and images like ${color}`,
  similarColors: 'Similar colors',
  related: 'Related',
  offeredTags: 'Suggested tags',
  takeTag: (tag: string) => `Add the tag “${tag}”`,
  copyColor: (form: string) => `Copy ${form}`
}
