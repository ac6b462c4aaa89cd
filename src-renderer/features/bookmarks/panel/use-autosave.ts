import { useEffect, useState } from 'react'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { useStore } from '../../../shared/store.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { decide, leave, sessionOf, settle, typeInto } from './autosave.ts'
import { type Draft, draftOf, type Field } from './draft.ts'
import { entriesOf, inConflict, shown } from './edits.ts'

/** How it stands with what was typed: nothing was, it is on its way, all of it is saved, or some of it cannot be. */
export type Progress = 'untouched' | 'saving' | 'saved' | 'refused'

/** A bookmark's fields as they are typed into. They save themselves. */
export function useAutosave(bookmark: ShownBookmark) {
  const [session] = useState(() => sessionOf(bookmark))
  const edits = useStore(session.edits)
  const [touched, setTouched] = useState(false)
  const now = draftOf(bookmark)

  useEffect(() => {
    session.bookmark = bookmark
  }, [session, bookmark])
  useEffect(() => {
    session.watched += 1
    return () => {
      session.watched -= 1
      void leave(session)
    }
  }, [session])

  const conflicts = inConflict(edits, now)
  const open = entriesOf(edits).filter(([, { saved }]) => !saved)
  const stuck = open.filter(([field, { refused }]) => refused !== undefined || conflicts.includes(field))
  return {
    draft: shown(edits, now),
    progress: progressOf(open.length, stuck.length, touched),
    /** Why a field cannot be saved as it is. */
    faultOf: (field: Field) => edits[field]?.refused,
    /** Whether a field was changed elsewhere meanwhile. */
    isContested: (field: Field) => conflicts.includes(field),
    /** The other version of the field, if it is a text. */
    theirs: (field: Field) => (typeof now[field] === 'string' ? strings.theirs(now[field]) : ''),
    set<F extends Field>(field: F, value: Draft[F]): void {
      setTouched(true)
      typeInto(session, field, value)
    },
    decide: (field: Field, mine: boolean) => decide(session, field, mine),
    settle: () => settle(session)
  }
}

export type Autosave = ReturnType<typeof useAutosave>

function progressOf(open: number, stuck: number, touched: boolean): Progress {
  if (stuck > 0) return 'refused'
  if (open > 0) return 'saving'
  return touched ? 'saved' : 'untouched'
}
