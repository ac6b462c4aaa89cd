import type { BookmarkType } from '../../src-main/contract/bookmark.ts'
import type { CaptureFields, CaptureStart, Clip } from '../../src-main/contract/desktop.ts'
import { detect } from '../features/bookmarks/add/detect.ts'
import { readClip } from '../features/bookmarks/add/read-clip.ts'
import { writeTag } from './read-entry.ts'

/** The field's first content. */
export interface Begun {
  typed: string
  chosen: BookmarkType | undefined
  /** Title and description, where a link brought any. */
  fields: { title: string; description: string } | undefined
}

const NOTHING: Begun = { typed: '', chosen: undefined, fields: undefined }

export function begun(start: CaptureStart): Begun {
  if (start.kind === 'filled') return fromLink(start.fields)
  return start.kind === 'copied' ? fromClip(start.clip) : NOTHING
}

/** The copied picture itself is meant, and not an address or a text beside it. */
export function isBarePicture(start: CaptureStart): boolean {
  return start.kind === 'copied' && start.clip !== null && readClip(start.clip)?.text === ''
}

function fromClip(clip: Clip | null): Begun {
  const wanted = clip && readClip(clip)
  if (!wanted) return NOTHING
  if (wanted.text === '') return { ...NOTHING, chosen: 'image' }
  return { ...NOTHING, typed: withRoom(wanted.text), chosen: wanted.picture ? 'image' : undefined }
}

function fromLink({ url, title = '', text = '', tags = [] }: CaptureFields): Begun {
  const what = url ?? text
  const description = url === undefined ? '' : text
  return {
    typed: [withRoom(what), ...tags.map((tag) => `${writeTag(tag)} `)].join(
      tags.length > 0 && needsSpace(what) ? ' ' : ''
    ),
    chosen: undefined,
    fields: title === '' && description === '' ? undefined : { title, description }
  }
}

/** A space after an address, so that a tag typed next is one, and no part of the address. */
function withRoom(text: string): string {
  return text === '' || detect(text).type === 'text' ? text : `${text} `
}

function needsSpace(text: string): boolean {
  return text !== '' && withRoom(text) === text
}
