import { t } from '@lingui/core/macro'
import type { ExportFormatId } from '../../src-main/contract/library-export.ts'

/** Returns the name of each format, and what a file of it lacks. */
export function exportFormats() {
  return {
    jsonl: { name: t`Earmark (.jsonl)`, drops: t`Contains everything except keys and settings.` },
    html: {
      name: t`For browsers (.html)`,
      drops: t`Leaves out texts and colors, pictures without an address, the trash, organizations, times of change, commas in tags, and which bookmarks are public.`
    },
    csv: {
      name: t`For spreadsheets (.csv)`,
      drops: t`Leaves out pictures without an address and the trash. A tag that contains a comma reads as two.`
    }
  } satisfies Record<ExportFormatId, { name: string; drops: string }>
}

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
