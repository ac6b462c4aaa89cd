import type { ImportDraft, PackedDrafts } from '../contract/library-export.ts'

/**
 * Bytes of bookmarks, which are handed to a thread and not copied. They lie outside the heap and are soon free again: as
 * objects or as a text the same import leaves 100 MB behind, until somebody needs them.
 */
export function packDrafts(drafts: ImportDraft[]): PackedDrafts {
  return new TextEncoder().encode(JSON.stringify(drafts)).buffer as PackedDrafts
}

export function unpackDrafts(packed: PackedDrafts): ImportDraft[] {
  return JSON.parse(new TextDecoder().decode(packed)) as ImportDraft[]
}
