import type { ImportDraft } from '../../contract/library-import.ts'
import type { Ports } from '../ports.ts'

type Page = Pick<ImportDraft, 'owner' | 'pageKey'>

/** Returns the drafts that a watched file did not give before and whose pages the owner has not deleted. */
export async function newFromWatched({ library }: Ports, file: string, drafts: ImportDraft[]): Promise<ImportDraft[]> {
  const pages = drafts.map(pageOf)
  const [inTrash, given] = await Promise.all([library.areInTrash(pages), library.wereGiven(file, pages)])
  return drafts.filter((_, index) => !inTrash[index] && !given[index])
}

export function pageOf({ owner, pageKey }: ImportDraft): Page {
  return { owner, pageKey }
}
