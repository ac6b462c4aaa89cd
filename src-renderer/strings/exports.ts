import type { ExportFormatId } from '../../src-main/contract/library-export.ts'

/** Exporting bookmarks as a file. */
export const exports = {
  title: 'Export these bookmarks',
  formats: {
    jsonl: { name: 'Earmark (.jsonl)', drops: 'Leaves out nothing but keys and settings.' },
    html: {
      name: 'For browsers (.html)',
      drops:
        'Leaves out texts and colors, pictures without an address, the trash, organizations, times of change, commas in tags, and which bookmarks are public.'
    },
    csv: {
      name: 'For spreadsheets (.csv)',
      drops: 'Leaves out pictures without an address, the trash, and what tells apart tags that hold a comma.'
    }
  } satisfies Record<ExportFormatId, { name: string; drops: string }>
}
