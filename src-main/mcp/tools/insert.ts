import { z } from 'zod'
import { type SaveReport, saveAddresses } from '../../actions/bookmarks/save-bookmarks.ts'
import { cut } from '../../core/clean-text.ts'
import { defineTool } from './tool.ts'

const MAX_URLS = 500

/** Maximum size of a report, in bytes. A larger report would fill a model's context. */
const MAX_RESULT_BYTES = 64 * 1024

const FORM = `urls must be a URL or a list of 1 to ${MAX_URLS} URLs, each as a string`

const Urls = z.union([z.string(), z.array(z.string()).min(1, FORM).max(MAX_URLS, FORM)], {
  error: FORM
})

const Arguments = z.strictObject({
  urls: Urls.describe(`http or https URLs, 1 to ${MAX_URLS}; one alone may be a string.`)
})

/** `bookmarks.insert`: saves pages by their addresses. */
export const insert = defineTool(
  {
    name: 'bookmarks.insert',
    title: 'Save bookmarks',
    description:
      'Saves web pages to the user’s bookmarks by URL. Use it when the user asks to save, bookmark or remember a link. ' +
      'Titles and details are read from the pages. Safe to repeat: a page that is already saved stays as it is. Returns ' +
      'JSON: how many were saved, existing and invalid, and for each URL its id and status, and the reason if invalid.',
    valid: 'only urls; details are read from the page',
    otherNames: { urls: ['url', 'link', 'links', 'uri', 'uris', 'href', 'address', 'addresses', 'bookmark', 'page'] },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  },
  Arguments,
  async (ports, caller, { urls }) => {
    const { callId, ...report } = await saveAddresses(ports, caller, typeof urls === 'string' ? [urls] : urls)
    return { text: write(report), results: report.saved, callId }
  }
)

/** Writes the report. A long report has shortened addresses, and only as many entries as fit. */
function write(report: Omit<SaveReport, 'callId'>): string {
  const whole = JSON.stringify(report)
  if (Buffer.byteLength(whole) <= MAX_RESULT_BYTES) return whole
  const entries: string[] = []
  let bytes = 200 // the text around the list
  for (const bookmark of report.bookmarks) {
    const entry = JSON.stringify({ ...bookmark, url: shorten(bookmark.url) })
    bytes += Buffer.byteLength(entry) + 1
    if (bytes > MAX_RESULT_BYTES) break
    entries.push(entry)
  }
  const { bookmarks, ...counts } = report
  const truncated = entries.length < bookmarks.length
  const head = JSON.stringify({ ...counts, truncated: truncated || undefined })
  return `${head.slice(0, -1)},"bookmarks":[${entries.join(',')}]}`
}

/** Maximum length of a shortened address, in UTF-16 code units. It is long enough to recognize the address. */
const MAX_SHOWN_URL = 120

function shorten(url: string): string {
  return url.length <= MAX_SHOWN_URL ? url : `${cut(url, MAX_SHOWN_URL - 1)}…`
}
