import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
import { api } from '../../../api.ts'
import { stopAdding } from '../../../app/adding.ts'
import type { ShownBookmark } from '../../../app/bookmark-data.ts'
import { withAction } from '../../../app/notify.tsx'
import { ask } from '../../../app/request.ts'
import { refreshBookmarks } from '../../../app/undo.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import type { Place } from '../place-select.tsx'
import { type Detected, detect, fieldsOf } from './detect.ts'

interface NewBookmark {
  text: string
  /** As chosen; otherwise it is what the text is. */
  type?: BookmarkType
  title: string
  tags: string[]
  place?: Place
}

/** A bookmark about to be saved: its fields, and what became of saving it. */
export function useNewBookmark(text: string, onOpen: (id: string) => void) {
  const settings = useQuery({ queryKey: ['settings'], queryFn: () => ask(api.settings.$get()) })
  const [draft, setDraft] = useState<NewBookmark>({ text, title: '', tags: [] })
  const [existing, setExisting] = useState<ShownBookmark>()
  const detected = detect(draft.text)
  const type = draft.type ?? detected.type
  const place = draft.place ?? (settings.data && { visibility: settings.data.defaultVisibility })

  const saving = useMutation({
    mutationFn: () => ask(api.bookmarks.$post({ json: requestOf(draft, type, detected) })),
    meta: { quiet: true },
    onSuccess: async ({ status, bookmark }) => {
      if (status === 'existing') return setExisting(bookmark)
      stopAdding()
      withAction(strings.savedNew, strings.savedOpen, () => onOpen(bookmark.id))
      await refreshBookmarks()
    }
  })
  return {
    draft: { ...draft, ...(place && { place }) },
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
      if (draft.text.trim() !== '' && !saving.isPending) saving.mutate()
    }
  }
}

function requestOf({ text, title, tags, place }: NewBookmark, type: BookmarkType, detected: Detected) {
  return {
    ...fieldsOf(type, text, detected),
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(tags.length > 0 && { tags }),
    ...place
  }
}
