import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ExportFormatId } from '../../src-main/contract/library-export.ts'

/** Returns the name of each format, and what a file of it lacks. */
export function exportFormats() {
  return {
    jsonl: { name: t`Earmark (.jsonl)`, drops: t`Contains everything except keys, settings and copies of pages.` },
    html: {
      name: t`For browsers (.html)`,
      drops: t`Leaves out texts and colors, highlights, pictures without an address, the trash, organizations, times of change, commas in tags, and which bookmarks are public.`
    },
    csv: {
      name: t`For spreadsheets (.csv)`,
      drops: t`Leaves out highlights, pictures without an address and the trash. A tag that contains a comma reads as two.`
    },
    markdown: {
      name: t`Markdown files (.zip)`,
      drops: t`Has the texts of pages. Leaves out pictures, the trash, and names of organizations.`
    },
    epub: {
      name: t`A book of the texts (.epub)`,
      drops: t`Has at most 1,000 texts, with their pictures. Leaves out tags, notes and highlights.`
    }
  } satisfies Record<ExportFormatId, { name: string; drops: string }>
}

interface ExportFormatsProps {
  children(format: { id: ExportFormatId; name: string; drops: string }): ReactNode
}

/** Renders each format. The first page loads this file lazily, because its texts are long. */
export function ExportFormats({ children }: ExportFormatsProps) {
  return Object.entries(exportFormats()).map(([id, format]) => children({ id: id as ExportFormatId, ...format }))
}
