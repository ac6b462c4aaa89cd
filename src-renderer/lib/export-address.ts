import type { ExportFormatId } from '../../src-main/contract/library-export.ts'

/**
 * Where the service gives bookmarks as a file: all of them, or what a list's query lets through.
 *
 * @param ticket good for one file
 */
export function exportAddress(
  ticket: string,
  format: ExportFormatId,
  query: Record<string, string | string[] | undefined> = {}
): string {
  const asked = new URLSearchParams({ ticket, format })
  for (const [name, value] of Object.entries(query)) {
    if (name === 'order') continue // a file has its own
    for (const one of [value ?? []].flat()) asked.append(name, one)
  }
  return `/api/exports?${asked}`
}
