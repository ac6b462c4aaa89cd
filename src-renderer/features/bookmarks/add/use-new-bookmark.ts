import { t } from '@lingui/core/macro'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
import { api, ask, type ShownBookmark } from '../../../api/client.ts'
import { savedOptions, settingsOptions } from '../../../api/queries.ts'
import { notifyWithUndo, offerUndo } from '../../../api/undo.ts'
import { titleOf } from '../../../lib/labels.ts'
import { foldName } from '../../../lib/match-names.ts'
import { closeDialog } from '../../../shared/dialogs.ts'
import type { Place } from '../place-select.tsx'
import { addressesIn, detect, fieldsOf } from './detect.ts'
import { saveDropped } from './drop.tsx'
import { savePicture, titleOfFile } from './picture-file.tsx'

/** A bookmark's fields as they are typed before it is saved. */
interface NewBookmark {
  text: string
  /** The file of an image, in place of an address. */
  picture?: File | undefined
  /** The chosen type; by default it is detected. */
  type?: BookmarkType | undefined
  title: string
  tags: string[]
  place?: Place | undefined
}

/** A new bookmark: its fields, and the state of saving it. */
export function useNewBookmark(initial: { text: string; picture?: File | undefined }, onOpen: (id: string) => void) {
  const settings = useQuery(settingsOptions)
  const { draft, token, change, close, restored } = useDraft(initial)
  // The bookmark that the service returned in place of a new one.
  const [duplicate, setDuplicate] = useState<ShownBookmark>()
  const { several, type, url } = detectType(draft)
  const place = draft.place ?? (settings.data && { visibility: settings.data.defaultVisibility })
  const saved = useExisting(url)
  const existing = duplicate ?? (saved && saved.organization === (place?.organization ?? null) ? saved : undefined)
  const lacks = existing && findMissing(existing, draft)

  const saving = useMutation({
    mutationFn: () => (draft.picture ? saveWithPicture(draft, draft.picture) : saveNew(draft, token)),
    meta: { quiet: true, changes: ['bookmarks'] },
    onSuccess({ status, bookmark: { id }, bookmark }) {
      if (status === 'existing') return setDuplicate(bookmark)
      close()
      offerUndo(
        t`Saved ${bookmark.domain ?? titleOf(bookmark)}.`,
        [{ trash: [id] }],
        [{ label: t`Open`, run: () => onOpen(id) }]
      )
    }
  })
  const adding = useAddToExisting(close)
  const savingAll = useMutation({
    mutationFn: (urls: string[]) => saveAll(urls, draft, onOpen),
    onSuccess: (unsaved) => (unsaved === '' ? close() : change({ text: unsaved }))
  })
  const isPending = saving.isPending || adding.isPending || savingAll.isPending
  return {
    draft: { ...draft, place },
    type,
    existing,
    lacks,
    url,
    several,
    problem: (saving.error ?? adding.error)?.message,
    isPending,
    set(changed: Partial<NewBookmark>) {
      // Another title or other tags do not change the page.
      if ('text' in changed || 'picture' in changed || 'type' in changed || 'place' in changed) setDuplicate(undefined)
      saving.reset()
      adding.reset()
      change(changed)
    },
    /** Whether the dialog shows an earlier draft. */
    restored,
    startOver: () => change(EMPTY),
    save() {
      if ((!draft.picture && draft.text.trim() === '') || isPending) return
      if (several) savingAll.mutate(several)
      else if (!existing || !lacks) saving.mutate()
      else if (isNothing(lacks)) {
        close()
        onOpen(existing.id)
      } else adding.mutate({ existing, lacks })
    }
  }
}

/** The typed fields, stored until they are saved. After each change, saving them is a new request with a new token. */
function useDraft(initial: { text: string; picture?: File | undefined }) {
  const [first] = useState(() => createDraft(initial))
  const [draft, setDraft] = useState(first.draft)
  const [token, setToken] = useState(() => crypto.randomUUID())
  return {
    draft,
    token,
    restored: first.restored,
    change(changed: Partial<NewBookmark>): void {
      const next = { ...draft, ...changed }
      setDraft(next)
      setToken(crypto.randomUUID())
      if (first.isStored) writeDraft(next)
    },
    /** Closes the dialog after everything was saved. */
    close(): void {
      if (first.isStored) removeDraft()
      closeDialog()
    }
  }
}

/** Returns the type of a draft, and the address of its page or image. */
function detectType(draft: NewBookmark) {
  const detected = detect(draft.text)
  const several = severalIn(draft)
  const type = draft.picture ? 'image' : (draft.type ?? (several ? 'link' : detected.type))
  const hasAddress = (type === 'link' || type === 'image') && !draft.picture
  return { detected, several, type, url: hasAddress ? detected.url : undefined }
}

/** Adds the missing title and tags to an existing bookmark, as one undo step. */
function useAddToExisting(close: () => void) {
  return useMutation({
    mutationFn: ({ existing: { id, tags }, lacks }: { existing: ShownBookmark; lacks: Lacks }) => {
      const json = { title: lacks.title, tags: lacks.tags.length > 0 ? [...tags, ...lacks.tags] : undefined }
      return ask(api.bookmarks[':id'].$patch({ param: { id }, json }))
    },
    meta: { quiet: true, changes: ['bookmarks'] },
    onSuccess({ undo }) {
      close()
      notifyWithUndo(t`Added to the bookmark you have.`, undo)
    }
  })
}

function saveWithPicture(draft: NewBookmark, picture: File) {
  return savePicture(picture, commonFields({ ...draft, title: draft.title.trim() || titleOfFile(picture) }))
}

function saveNew(draft: NewBookmark, token: string) {
  const { type, detected } = detectType(draft)
  const json = { ...fieldsOf(type, draft.text, detected), ...commonFields(draft) }
  return ask(api.bookmarks.$post({ json }, { headers: { 'idempotency-key': token } }))
}

const EMPTY: NewBookmark = { text: '', picture: undefined, type: undefined, title: '', tags: [], place: undefined }

/**
 * Returns the first draft of the dialog: with the text or picture for which it was opened, otherwise the stored draft.
 * `isStored`: whether changes are stored. A dialog that was opened for a text does not overwrite a stored draft.
 */
function createDraft(initial: { text: string; picture?: File | undefined }) {
  const stored = readDraft()
  if (initial.text !== '' || initial.picture) {
    return { draft: { ...EMPTY, ...initial }, isStored: stored === undefined, restored: false }
  }
  return { draft: stored ?? EMPTY, isStored: true, restored: stored !== undefined }
}

/** Whether the existing bookmark has everything that was typed. */
export const isNothing = ({ title, tags }: Lacks): boolean => title === undefined && tags.length === 0

type Lacks = ReturnType<typeof findMissing>

/** Returns the addresses if there are several, unless the user chose another type. */
function severalIn({ text, picture, type }: NewBookmark): string[] | undefined {
  return picture || (type !== undefined && type !== 'link') ? undefined : addressesIn(text)
}

/** @returns the addresses that were not saved, one per line */
async function saveAll(urls: string[], { tags, place }: NewBookmark, onOpen: (id: string) => void): Promise<string> {
  const dropped = urls.map((text) => ({ text, picture: false }))
  const unsaved = await saveDropped(dropped, onOpen, { tags, ...place })
  return unsaved.map((item) => ('text' in item ? item.text : '')).join('\n')
}

/** Returns the fields that bookmarks of all types have, without empty ones. */
function commonFields({ title, tags, place }: NewBookmark) {
  return {
    title: title.trim() || undefined,
    tags: tags.length > 0 ? tags : undefined,
    ...place
  }
}

/** Returns the typed title and tags that the existing bookmark does not have. */
function findMissing(existing: Pick<ShownBookmark, 'title' | 'tags'>, typed: { title: string; tags: string[] }) {
  const has = new Set(existing.tags.map(foldName))
  const title = typed.title.trim()
  return {
    title: title === '' || title === existing.title ? undefined : title,
    tags: typed.tags.filter((tag) => !has.has(foldName(tag)))
  }
}

/** Pause in typing before an address is looked up, in ms. */
const PAUSE_MS = 120

/** The bookmark that has this address, looked up while the user types. Errors are ignored, because saving finds it too. */
function useExisting(url: string | undefined): ShownBookmark | undefined {
  const [debounced] = useDebouncedValue(url, PAUSE_MS)
  const { data } = useQuery(savedOptions(debounced))
  return debounced === url ? (data?.bookmark ?? undefined) : undefined
}

/** The storage key of the draft. Its picture is kept in memory. */
const KEY = 'earmark-draft'

let picture: File | undefined

/** Stores a draft. Tags alone are not stored: they would be added to the next bookmark by mistake. */
export function writeDraft(draft: NewBookmark): void {
  const { picture: chosen, ...fields } = draft
  const isEmpty = fields.text.trim() === '' && fields.title.trim() === '' && !chosen
  picture = chosen
  if (isEmpty) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(fields))
}

export function readDraft(): NewBookmark | undefined {
  const stored = localStorage.getItem(KEY)
  return stored === null ? undefined : { ...(JSON.parse(stored) as NewBookmark), picture }
}

export function removeDraft(): void {
  picture = undefined
  localStorage.removeItem(KEY)
}
