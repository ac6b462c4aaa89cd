import type { ExportFormatId } from '../../src-main/contract/library-export.ts'

/**
 * Returns the address of an export as a file: of all bookmarks, or of those that match a list's query.
 *
 * @param ticket valid for one download
 */
export function exportAddress(
  ticket: string,
  format: ExportFormatId,
  query: Record<string, string | string[] | undefined> = {}
): string {
  const params = new URLSearchParams({ ticket, format })
  for (const [name, values] of Object.entries(query)) {
    if (name === 'order') continue // a file has its own order
    for (const value of [values ?? []].flat()) params.append(name, value)
  }
  return `/api/exports?${params}`
}
