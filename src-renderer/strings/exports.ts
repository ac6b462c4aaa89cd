import type { ExportFormatId } from '../../src-main/contract/library-export.ts'

/** Exporting bookmarks as a file. */
export const exports = {
  title: 'Export these bookmarks',
  formats: {
    jsonl: { name: 'Earmark (.jsonl)', drops: 'Contains everything except keys and settings.' },
    html: {
      name: 'For browsers (.html)',
      drops:
        'Leaves out texts and colors, pictures without an address, the trash, organizations, times of change, commas in tags, and which bookmarks are public.'
    },
    csv: {
      name: 'For spreadsheets (.csv)',
      drops: 'Leaves out pictures without an address and the trash. A tag that contains a comma reads as two.'
    }
  } satisfies Record<ExportFormatId, { name: string; drops: string }>
}
