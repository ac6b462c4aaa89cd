import type { ImportedPicture } from '../../contract/import-format.ts'
import type { Ports } from '../../contract/ports.ts'
import { inspectPicture } from '../pages/save-picture.ts'

/** Keeps the pictures of an import, or with a dry run only looks at them. */
export function createImportPictures(ports: Ports, dryRun: boolean) {
  const seen = new Set<string>()
  return {
    /** @returns why it cannot be kept */
    async keep({ bytes }: ImportedPicture): Promise<string | undefined> {
      const picture = await inspectPicture(ports, bytes)
      if ('fault' in picture) return picture.reason
      seen.add(picture.hash)
      if (!dryRun) await ports.library.keepOriginal(picture, ports.now())
      return undefined
    },
    has: async (hash: string): Promise<boolean> => seen.has(hash) || ports.library.hasOriginal(hash)
  }
}
