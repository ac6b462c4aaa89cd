import type { ImportDraft, PackedDrafts } from '../contract/library-export.ts'

/**
 * Packs bookmarks into bytes, which move to another thread without a copy. Bytes are outside the heap and freed soon.
 * The objects or texts of an import would leave 100 MB of garbage.
 */
export function packDrafts(drafts: ImportDraft[]): PackedDrafts {
  return new TextEncoder().encode(JSON.stringify(drafts)).buffer as PackedDrafts
}

export function unpackDrafts(packed: PackedDrafts): ImportDraft[] {
  return JSON.parse(new TextDecoder().decode(packed)) as ImportDraft[]
}
