import { insert } from './insert.ts'
import { search } from './search.ts'
import type { Tool } from './tool.ts'

/** All there are, in the order they are listed. */
export const ownTools: Tool[] = [search, insert]
