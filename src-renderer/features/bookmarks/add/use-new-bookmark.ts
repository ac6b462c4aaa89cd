import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
import { stopAdding } from '../../../shared/adding.ts'
import { api } from '../../../shared/api.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { withAction } from '../../../shared/notify.tsx'
import { ask } from '../../../shared/request.ts'
import { refreshBookmarks } from '../../../shared/undo.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import type { Place } from '../place-select.tsx'
import { detect, fieldsOf } from './detect.ts'
import { savePicture, titleOfFile } from './picture-file.ts'

interface NewBookmark {
  text: string
  /** An image's own picture, instead of an address. */
  picture?: File | undefined
  /** As chosen; otherwise it is what the text is. */
  type?: BookmarkType
  title: string
  tags: string[]
  place?: Place
}

/** A bookmark about to be saved: its fields, and what became of saving it. */
export function useNewBookmark(begun: { text: string; picture?: File }, onOpen: (id: string) => void) {
  const settings = useQuery({ queryKey: ['settings'], queryFn: () => ask(api.settings.$get()) })
  const [draft, setDraft] = useState<NewBookmark>({ ...begun, title: '', tags: [] })
  const [existing, setExisting] = useState<ShownBookmark>()
  const detected = detect(draft.text)
  const type = draft.picture ? 'image' : (draft.type ?? detected.type)
  const place = draft.place ?? (settings.data && { visibility: settings.data.defaultVisibility })

  const saving = useMutation({
    mutationFn: async () =>
      draft.picture
        ? savePicture(draft.picture, saidOf({ ...draft, title: draft.title.trim() || titleOfFile(draft.picture) }))
        : ask(api.bookmarks.$post({ json: { ...fieldsOf(type, draft.text, detected), ...saidOf(draft) } })),
    meta: { quiet: true },
    onSuccess: async ({ status, bookmark }) => {
      if (status === 'existing') return setExisting(bookmark)
      stopAdding()
      withAction(strings.savedNew, strings.savedOpen, () => onOpen(bookmark.id))
      await refreshBookmarks()
    }
  })
  return {
    draft: { ...draft, place },
    type,
    existing,
    problem: saving.error?.message,
    isPending: saving.isPending,
    set(change: Partial<NewBookmark>) {
      setExisting(undefined)
      saving.reset()
      setDraft((now) => ({ ...now, ...change }))
    },
    save() {
      if ((draft.picture || draft.text.trim() !== '') && !saving.isPending) saving.mutate()
    }
  }
}

function saidOf({ title, tags, place }: NewBookmark) {
  return {
    title: title.trim() || undefined,
    tags: tags.length > 0 ? tags : undefined,
    ...place
  }
}
