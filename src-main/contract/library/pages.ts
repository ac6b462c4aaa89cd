import type { BookmarkDraft, Placement, SavedBookmark } from '../bookmark.ts'
import type { DuePage, KeptDetails, PageFailure, StoredPage, TextLayout } from '../page-details.ts'
import type { DominantColor, KeptPicture, NewPicture, PictureFacts, UncoloredPicture } from '../picture.ts'

/** Calls about bookmarks' pages and pictures. */
export interface LibraryPages {
  /** A bookmark whose page is due to be read, the one saved last, and of none of these domains. */
  duePage(now: number, except: string[]): Promise<DuePage | undefined>
  /** Keeps what a page says, where the bookmark is still of this page. False when it is not. */
  saveDetails(page: DuePage, details: KeptDetails, at: number): Promise<boolean>
  /**
   * Keeps the text that the owner's browser shows of a page, as `saveDetails` does; no reading of the page replaces it.
   */
  saveTabText(page: Pick<DuePage, 'id' | 'url'>, text: string): Promise<boolean>
  saveFailure(page: DuePage, failure: PageFailure, at: number): Promise<boolean>
  /** Lets a page be read again. False when there is no such bookmark, or it has no page. */
  askForPage(id: string, at: number): Promise<boolean>
  /** `undefined` when there is no such bookmark, or it has no page. */
  findPage(id: string): Promise<StoredPage | undefined>
  /** How many pages are yet to be read, counted up to 10,000. */
  countPagesToRead(): Promise<number>
  /** The texts of these bookmarks' pages, by their ids. */
  readPageTexts(ids: string[]): Promise<Map<string, string>>
  /** How the text of a bookmark's page was set out; `null` where nothing says so. */
  readTextLayout(id: string): Promise<TextLayout | null>
  /** Keeps a picture beside the library and gives its name. */
  keepPicture(picture: Uint8Array): Promise<string>
  /** `undefined` when there is none of this name, or it had to make room. */
  readPicture(name: string): Promise<Uint8Array | undefined>
  /** Keeps a picture in the library itself, with a bookmark of it. One transaction. */
  savePicture(placement: Placement, draft: BookmarkDraft, picture: NewPicture): Promise<SavedBookmark>
  /** Keeps a picture for the bookmarks that come next; without any it is forgotten again. */
  keepOriginal(picture: NewPicture, at: number): Promise<void>
  hasOriginal(hash: string): Promise<boolean>
  /** The hashes of all pictures that are bookmarks. */
  listOriginals(): Promise<string[]>
  /** A picture that is kept itself. */
  readOriginal(hash: string): Promise<KeptPicture | undefined>
  /** Forgets pictures that were kept before a time and are no bookmark's. */
  forgetOriginals(before: number): Promise<void>
  /** `undefined` when there is no such bookmark. */
  findPicture(id: string): Promise<PictureFacts | undefined>
  /** An image whose colors are yet to be looked for. */
  uncoloredPicture(): Promise<UncoloredPicture | undefined>
  /** Keeps an image's colors, where its picture is still this one. */
  saveColors(picture: UncoloredPicture, colors: DominantColor[]): Promise<void>
  /** Keeps a picture of the text of a bookmark's page, by its address. */
  keepTextPicture(id: string, url: string, picture: Uint8Array): Promise<void>
  /** Whether each of these pictures of a bookmark's text is kept. */
  areTextPicturesKept(id: string, urls: string[]): Promise<boolean[]>
  /** `undefined` where it is not kept. */
  readTextPicture(id: string, url: string): Promise<Uint8Array | undefined>
  /**
   * Removes pictures that no bookmark has any more, and the oldest where all take more than so many bytes. Those of texts
   * are counted by themselves.
   */
  prunePictures(mostBytes: number): Promise<void>
}
