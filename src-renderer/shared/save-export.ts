import { useMutation } from '@tanstack/react-query'
import type { ExportFormatId } from '../../src-main/contract/library-export.ts'
import { api } from './api.ts'
import type { BookmarksQuery } from './bookmark-data.ts'
import { exportAddress } from './export-address.ts'
import { ask } from './request.ts'

interface WantedExport {
  format: ExportFormatId
  /** The query of the list; all bookmarks without. */
  query?: Omit<BookmarksQuery, 'page' | 'limit'>
  /** The bookmarks selected in the list; all of it without. */
  chosen?: { ids: string[] } | { all: Omit<BookmarksQuery, 'page' | 'limit'>; except: string[] }
}

/** Has the browser save bookmarks as a file, which is written as it is read, however large. */
export function useSaveExport() {
  return useMutation({
    async mutationFn({ format, query, chosen }: WantedExport) {
      const { all: listed, ...selection } = chosen ? { all: undefined, ...chosen } : { all: query }
      const { ticket } = await ask(api.exports.tickets.$post({ json: selection }))
      const link = document.createElement('a')
      link.href = exportAddress(ticket, format, listed)
      link.download = ''
      link.click()
    }
  })
}
