import type { Bookmark, BookmarkDraft, BookmarkPage, BookmarkQuery, Placement, SavedBookmark } from '../bookmark.ts'
import type { BookmarkEdit, BulkChange, ChangeReport } from '../bookmark-change.ts'
import type { BookmarkCounts, BookmarkList } from '../bookmark-list.ts'
import type { CallOrigin, UndoPart } from '../call.ts'
import type { Caller } from '../caller.ts'
import type { SimilarColor } from '../color.ts'
import type { Duplicates, Merge, MergeReport } from '../duplicate.ts'
import type { WalkChoice, WalkLength, WalkPart, WalkRange } from '../library-export.ts'
import type { Tag, TagMerge, TagPart, TagReport, TagsAsked } from '../tag.ts'

/** Calls about bookmarks and their tags. */
export interface LibraryBookmarks {
  searchBookmarks(caller: Caller, query: BookmarkQuery): Promise<BookmarkPage>
  countBookmarks(caller: Caller): Promise<number>
  /** About how many bookmarks the search index does not hold yet: after a large import, or while it is rebuilt. */
  countUnindexed(): Promise<number>
  /** Whether there are any that the caller may see, which costs next to nothing to ask. */
  isIndexing(caller: Caller): Promise<boolean>
  /** One transaction for all drafts, answered in their order. */
  saveBookmarks(placement: Placement, drafts: BookmarkDraft[]): Promise<SavedBookmark[]>
  /** Saves drafts, and in the same transaction the call's row in its key's ledger. */
  saveForCall(
    placement: Placement,
    drafts: BookmarkDraft[],
    call: CallOrigin & { tool: string }
  ): Promise<{ saved: SavedBookmark[]; callId: number }>

  /** A page of all the profile's bookmarks that the filters let through, however deep. */
  listBookmarks(list: BookmarkList): Promise<BookmarkPage>
  countByKind(): Promise<BookmarkCounts>
  /** In the trash or not. */
  findBookmark(id: string): Promise<Bookmark | undefined>
  /** The bookmark that is this page: the profile's, else an organization's; `undefined` where none is, or lies in the trash. */
  findSaved(pageKey: string): Promise<Bookmark | undefined>
  /** `undefined` when there is no such bookmark; otherwise the step that takes it back, `null` if nothing changed. */
  editBookmark(id: string, edit: BookmarkEdit, at: number): Promise<{ undo: number | null } | undefined>
  /**
   * One transaction for all; what cannot be changed is left alone.
   *
   * @param step goes on with this one, so that both are taken back together
   */
  changeBookmarks(ids: string[], change: BulkChange, at: number, step?: number | null): Promise<ChangeReport>
  /** Some of those that words and filters let through, in the order of saving: again from `next`, until it is `null`. */
  matchingIds(range: WalkRange): Promise<WalkPart>
  countMatching(choice: WalkChoice): Promise<WalkLength>
  /** Returns the bookmarks with these ids, in the given order. Unknown ids are skipped. */
  readBookmarks(ids: string[]): Promise<Bookmark[]>
  /** The tags of these bookmarks, and how many of them have each. */
  tagsOf(ids: string[]): Promise<Tag[]>
  tagsOfMatching(choice: WalkChoice): Promise<Tag[]>
  /** Deletes for good some of what went to the trash before a time; 0 when none is left. */
  purgeTrash(before: number): Promise<number>
  /**
   * Takes back a part of a step: again from `next`, until it is `null`. `undefined` when there is no such step, or it
   * was taken back before.
   *
   * @param redo what the part before answered
   */
  undoStepSome(id: number, after?: number, redo?: number | null): Promise<UndoPart | undefined>
  /** Forgets some of the steps from before a time; false when none is left. */
  forgetSteps(before: number): Promise<boolean>

  /** Bookmarks of nearly the same page and the same owner: a page of groups, those saved last first. */
  findDuplicates(page: number, limit: number): Promise<Duplicates>
  /**
   * One transaction and one step for all; what cannot be merged is left alone.
   *
   * @param step goes on with this one, so that both are taken back together
   */
  mergeDuplicates(merges: Merge[], at: number, step?: number | null): Promise<MergeReport>
  /**
   * The bookmarks most like one, by the telling words, tags and site they share, the nearest first. Empty where there is no
   * such bookmark outside the trash that the caller may see.
   */
  relatedBookmarks(caller: Caller, id: string, limit: number): Promise<Bookmark[]>
  /** Tags that the owner's bookmarks most like this one have and it has not, the likeliest first. */
  suggestTags(about: TagsAsked, limit: number): Promise<string[]>
  /** Some bookmarks from before a time, by chance; none opened since, and none with the ids in `except`. */
  pastBookmarks(before: number, except: string[], most: number): Promise<Bookmark[]>
  /** Notes that the owner opened the pages of bookmarks, which is no change of them. Unknown ids are skipped. */
  noteOpenings(ids: string[], at: number): Promise<void>
  /** The owner's colors that look like this one, nearest first. */
  similarColors(color: string, limit: number): Promise<SimilarColor[]>
  /** The owner's images of which a large part looks like this color, nearest first. */
  similarImages(color: string, limit: number): Promise<SimilarColor[]>

  listTags(): Promise<Tag[]>
  /** Returns each parent of nested tags, a tag itself or not, with how many bookmarks have it or a tag below it. */
  listTagParents(): Promise<Tag[]>
  renameTag(name: string, newName: string, at: number): Promise<TagReport>
  mergeTags(merge: TagMerge, at: number): Promise<TagReport>
  /** Takes a tag from some of its bookmarks: again with what it answered, until `after` is `null`. */
  deleteTagSome(name: string, at: number, part?: TagPart): Promise<TagPart>
}
