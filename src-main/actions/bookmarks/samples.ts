import { BOOKMARK_TYPES } from '../../contract/bookmark.ts'
import { draftOf } from '../imports/import-drafts.ts'
import type { Ports } from '../ports.ts'

const HOUR_MS = 3_600_000

/**
 * Adds the sample bookmarks, and returns how many were not in the library yet. Their dates are 17 hours
 * apart, as if somebody had saved them in the last weeks.
 *
 * @throws Problem `taken` if this machine synchronizes with others
 */
export async function addSamples({ library, now }: Ports): Promise<number> {
  const { default: samples } = await import('../../../resources/samples.json', { with: { type: 'json' } })
  const savedAt = now()
  const drafts = samples.map(({ type, url = '', ...sample }, index) => {
    const record = {
      url,
      ...sample,
      type: BOOKMARK_TYPES.find((known) => known === type),
      createdAt: savedAt - index * 17 * HOUR_MS
    }
    const draft = draftOf(record, { owner: null, visibility: 'private', savedAt })
    if ('fault' in draft) throw new Error(`The sample ${sample.title} is invalid: ${draft.fault}`)
    return draft
  })
  return library.addSamples(drafts, savedAt)
}
