import { createHash } from 'node:crypto'
import type { ExportFormat } from '../contract/library-export.ts'
import { isoTime } from '../core/iso-time.ts'
import { PART_BYTES } from './picture-parts.ts'

/** Writes what `earmark-jsonl.ts` reads, with every field. */
export const writeJsonl: ExportFormat = {
  id: 'jsonl',
  contentType: 'application/jsonl',
  writer(at) {
    const hash = createHash('sha256')
    const counts = { organizations: 0, pictures: 0, bookmarks: 0 }

    function line(value: object): string {
      const text = `${JSON.stringify(value)}\n`
      hash.update(text)
      return text
    }

    return {
      begin: () => line({ format: 'earmark', version: 1, createdAt: isoTime(at) }),
      organization({ id, name, createdAt }) {
        counts.organizations += 1
        return line({ organization: { id, name, createdAt: isoTime(createdAt) } })
      },
      *picture({ hash, type, bytes }) {
        counts.pictures += 1
        const parts = Math.ceil(bytes.length / PART_BYTES)
        for (let part = 1; part <= parts; part++) {
          const piece = bytes.subarray((part - 1) * PART_BYTES, part * PART_BYTES)
          yield line({ picture: { hash, type, part, parts, data: Buffer.from(piece).toString('base64') } })
        }
      },
      bookmark({
        domain: _,
        icon: _icon,
        preview: _preview,
        savedBy: _savedBy,
        createdAt,
        updatedAt,
        deletedAt,
        ...bookmark
      }) {
        counts.bookmarks += 1
        const times = {
          createdAt: isoTime(createdAt),
          updatedAt: isoTime(updatedAt),
          deletedAt: deletedAt === null ? null : isoTime(deletedAt)
        }
        return line({ bookmark: { ...bookmark, ...times } })
      },
      end: () => line({ end: { counts, sha256: hash.copy().digest('hex') } })
    }
  }
}
