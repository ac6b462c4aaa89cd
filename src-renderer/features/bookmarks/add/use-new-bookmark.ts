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
  /** An image's own picture, instead of an address. */
  picture?: File | undefined
  /** As chosen; otherwise it is what the text is. */
  type?: BookmarkType | undefined
  title: string
  tags: string[]
  place?: Place | undefined
}

/** A bookmark about to be saved: its fields, and what became of saving it. */
export function useNewBookmark(begun: { text: string; picture?: File | undefined }, onOpen: (id: string) => void) {
  const settings = useQuery(settingsOptions)
  const { draft, token, change, close, restored } = useDraft(begun)
  const [met, setMet] = useState<ShownBookmark>()
  const { several, type, url } = takenFor(draft)
  const place = draft.place ?? (settings.data && { visibility: settings.data.defaultVisibility })
  const typed = useExisting(url)
  const existing = met ?? (typed && typed.organization === (place?.organization ?? null) ? typed : undefined)
  const lacks = existing && lacking(existing, draft)

  const saving = useMutation({
    mutationFn: () => (draft.picture ? saveWithPicture(draft, draft.picture) : saveNew(draft, token)),
    meta: { quiet: true, changes: ['bookmarks'] },
    onSuccess({ status, bookmark: { id }, bookmark }) {
      if (status === 'existing') return setMet(bookmark)
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
    onSuccess: (left) => (left === '' ? close() : change({ text: left }))
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
      // Tags and a title change nothing about which page it is.
      if ('text' in changed || 'picture' in changed || 'type' in changed || 'place' in changed) setMet(undefined)
      saving.reset()
      adding.reset()
      change(changed)
    },
    /** Whether it shows what was typed earlier and not saved. */
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

/** The fields as they are typed, kept until they are saved. Each change of them is another request, with its own token. */
function useDraft(begun: { text: string; picture?: File | undefined }) {
  const [first] = useState(() => beginning(begun))
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
      if (first.keeps) keepDraft(next)
    },
    /** All of it is saved. */
    close(): void {
      if (first.keeps) forgetDraft()
      closeDialog()
    }
  }
}

/** Returns the type that the fields are taken for. `url` is the address of the page or image. */
function takenFor(draft: NewBookmark) {
  const detected = detect(draft.text)
  const several = severalIn(draft)
  const type = draft.picture ? 'image' : (draft.type ?? (several ? 'link' : detected.type))
  const hasAddress = (type === 'link' || type === 'image') && !draft.picture
  return { detected, several, type, url: hasAddress ? detected.url : undefined }
}

/** Gives a bookmark that exists what it lacks, as one step that can be taken back. */
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
  return savePicture(picture, saidOf({ ...draft, title: draft.title.trim() || titleOfFile(picture) }))
}

function saveNew(draft: NewBookmark, token: string) {
  const { type, detected } = takenFor(draft)
  const json = { ...fieldsOf(type, draft.text, detected), ...saidOf(draft) }
  return ask(api.bookmarks.$post({ json }, { headers: { 'idempotency-key': token } }))
}

const EMPTY: NewBookmark = { text: '', picture: undefined, type: undefined, title: '', tags: [], place: undefined }

/**
 * Returns what the dialog begins with: what it was opened for, else what was typed earlier and not saved. `keeps`: what
 * is typed is kept until it is saved. A dialog opened for something leaves alone what is kept already.
 */
function beginning(begun: { text: string; picture?: File | undefined }) {
  const kept = keptDraft()
  if (begun.text !== '' || begun.picture) {
    return { draft: { ...EMPTY, ...begun }, keeps: kept === undefined, restored: false }
  }
  return { draft: kept ?? EMPTY, keeps: true, restored: kept !== undefined }
}

/** Whether the bookmark that is there has all that was typed. */
export const isNothing = ({ title, tags }: Lacks): boolean => title === undefined && tags.length === 0

type Lacks = ReturnType<typeof lacking>

/** The addresses, where there are several and nobody said that they are a text. */
function severalIn({ text, picture, type }: NewBookmark): string[] | undefined {
  return picture || (type !== undefined && type !== 'link') ? undefined : addressesIn(text)
}

/** Gives what was not saved, a line each. */
async function saveAll(urls: string[], { tags, place }: NewBookmark, onOpen: (id: string) => void): Promise<string> {
  const dropped = urls.map((text) => ({ text, picture: false }))
  const left = await saveDropped(dropped, onOpen, { tags, ...place })
  return left.map((one) => ('text' in one ? one.text : '')).join('\n')
}

function saidOf({ title, tags, place }: NewBookmark) {
  return {
    title: title.trim() || undefined,
    tags: tags.length > 0 ? tags : undefined,
    ...place
  }
}

/** Returns the typed fields that the existing bookmark lacks: a title of its own, tags. Empty if it has them all. */
function lacking(existing: Pick<ShownBookmark, 'title' | 'tags'>, typed: { title: string; tags: string[] }) {
  const has = new Set(existing.tags.map(foldName))
  const title = typed.title.trim()
  return {
    title: title === '' || title === existing.title ? undefined : title,
    tags: typed.tags.filter((tag) => !has.has(foldName(tag)))
  }
}

/** How long to wait for the next letter of an address, in milliseconds. */
const PAUSE_MS = 120

/** The bookmark that has this address already, asked for while it is typed. Saving says so too, so failing is no news. */
function useExisting(url: string | undefined): ShownBookmark | undefined {
  const [debounced] = useDebouncedValue(url, PAUSE_MS)
  const { data } = useQuery(savedOptions(debounced))
  return debounced === url ? (data?.bookmark ?? undefined) : undefined
}

/** Where this browser keeps a bookmark that was typed and not saved yet, without its picture. */
const KEY = 'earmark-draft'

let picture: File | undefined

/** Stores the fields until they are saved. Tags alone are no draft: they would go to the next bookmark by mistake. */
export function keepDraft(draft: NewBookmark): void {
  const { picture: chosen, ...fields } = draft
  const isEmpty = fields.text.trim() === '' && fields.title.trim() === '' && !chosen
  picture = chosen
  if (isEmpty) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(fields))
}

/** Returns what was typed and not saved. */
export function keptDraft(): NewBookmark | undefined {
  const kept = localStorage.getItem(KEY)
  return kept === null ? undefined : { ...(JSON.parse(kept) as NewBookmark), picture }
}

export function forgetDraft(): void {
  picture = undefined
  localStorage.removeItem(KEY)
}
