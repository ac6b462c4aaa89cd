import { insert } from './insert.ts'
import { search } from './search.ts'
import type { Tool } from './tool.ts'

/** The tools, in the order in which clients list them. */
export const earmarkTools: Tool[] = [search, insert]
