import { z } from 'zod'
import { type SaveReport, saveAddresses } from '../../actions/bookmarks/save-bookmarks.ts'
import { LIMITS } from '../../contract/bookmark.ts'
import { ellipsize } from '../../core/clean-text.ts'
import { countFitting, defineTool, TAG_NAMES, Tags, tagsIn } from './tool.ts'

const MAX_URLS = 500

const FORM = `urls must be a URL or a list of 1 to ${MAX_URLS} URLs, each as a string`

const Urls = z.union([z.string(), z.array(z.string()).min(1, FORM).max(MAX_URLS, FORM)], {
  error: FORM
})

const PlainArguments = z.strictObject({
  urls: Urls.describe(`http or https URLs, 1 to ${MAX_URLS}; one may be a string.`)
})

const Arguments = PlainArguments.extend({
  tags: Tags.optional().describe('Tags for new bookmarks, for example work/clients.'),
  title: z.string().max(LIMITS.title).optional().describe('For one URL: replaces the page’s own title.'),
  description: z.string().max(LIMITS.description).optional().describe('For one URL: a note.')
})

/** `bookmarks.insert`: saves pages by their addresses. */
export const insert = defineTool(
  {
    name: 'bookmarks.insert',
    title: 'Save bookmarks',
    description:
      'Saves web pages to the user’s bookmarks by URL. Use it when the user asks to save, bookmark or remember a link. ' +
      'Titles are read from the pages. Safe to repeat: a page that was saved before stays as it was. Returns JSON: how ' +
      'many were saved, existing and invalid, and for each URL its id and status, or why it is invalid.',
    otherNames: {
      urls: ['url', 'link', 'links', 'uri', 'uris', 'href', 'address', 'addresses', 'bookmark', 'page'],
      tags: TAG_NAMES,
      title: ['name', 'heading'],
      description: ['note', 'notes', 'comment', 'comments', 'summary', 'text']
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  },
  Arguments,
  async (ports, caller, { urls, tags = [], ...texts }, manner) => {
    const { callId, ...report } = await saveAddresses(ports, caller, [urls].flat(), { tags: tagsIn(tags), ...texts })
    return { text: manner === 'plain' ? JSON.stringify(report) : write(report), results: report.saved, callId }
  },
  PlainArguments
)

/**
 * Writes the report for a model. A long report has shortened addresses, and only as many entries as fit. Addresses that
 * were not saved are first.
 */
function write(report: Omit<SaveReport, 'callId'>): string {
  const { bookmarks, ...counts } = report
  const whole = bookmarks.map((bookmark) => JSON.stringify(bookmark))
  if (countFitting(whole) === whole.length) return JSON.stringify(report)
  const entries = bookmarks
    .toSorted((a, b) => Number(a.status === 'saved') - Number(b.status === 'saved'))
    .map((bookmark) => ({ ...bookmark, url: ellipsize(bookmark.url, MAX_SHOWN_URL) }))
  const fitting = countFitting(entries.map((entry) => JSON.stringify(entry)))
  const truncated = fitting < entries.length || undefined
  return JSON.stringify({ ...counts, truncated, bookmarks: entries.slice(0, fitting) })
}

/** Maximum length of a shortened address, in UTF-16 code units. It is long enough to recognize the address. */
const MAX_SHOWN_URL = 120
