import { createHash } from 'node:crypto'
import type { ExportFormat } from '../contract/library-export.ts'

/** Writes what `earmark-jsonl.ts` reads, with every field. */
export const writeJsonl: ExportFormat = {
  id: 'jsonl',
  contentType: 'application/jsonl',
  writer(at) {
    const hash = createHash('sha256')
    const counts = { organizations: 0, bookmarks: 0 }

    function line(value: object): string {
      const text = `${JSON.stringify(value)}\n`
      hash.update(text)
      return text
    }

    return {
      begin: () => line({ format: 'earmark', version: 1, createdAt: iso(at) }),
      organization({ id, name, createdAt }) {
        counts.organizations += 1
        return line({ organization: { id, name, createdAt: iso(createdAt) } })
      },
      bookmark({ domain: _, icon: _icon, preview: _preview, createdAt, updatedAt, deletedAt, ...bookmark }) {
        counts.bookmarks += 1
        const times = {
          createdAt: iso(createdAt),
          updatedAt: iso(updatedAt),
          deletedAt: deletedAt === null ? null : iso(deletedAt)
        }
        return line({ bookmark: { ...bookmark, ...times } })
      },
      end: () => line({ end: { counts, sha256: hash.copy().digest('hex') } })
    }
  }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
