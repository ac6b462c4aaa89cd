import type { ImportedEntry } from '../contract/import-format.ts'
import type { JsonEvents, JsonValue } from './json-reader.ts'
import { type JsonBuilder, members, newObject } from './json-records.ts'
import type { TreeFormat } from './json-tree.ts'

/**
 * Reads a browser's tree below the depth that is held: folders are only counted, and of bookmarks one at a time is
 * held. It begins in a node's `children`, so nodes and `children` take turns, the node on the odd levels.
 */
export class DeepNodes implements JsonEvents {
  /** Nodes and their `children` around. */
  #nodes = 0
  /** Objects and arrays below those that are neither. */
  #others = 0
  /** The node that nothing was found in so far. */
  #leaf: { fields: JsonBuilder; line: number; level: number } | undefined
  readonly #format: TreeFormat
  readonly #line: () => number
  readonly #found: (record: ImportedEntry) => void

  constructor(format: TreeFormat, line: () => number, found: (record: ImportedEntry) => void) {
    this.#format = format
    this.#line = line
    this.#found = found
  }

  get depth(): number {
    return this.#nodes + this.#others
  }

  open(kind: 'object' | 'array', key: string | undefined): void {
    const inNode = this.#nodes % 2 === 1
    const fields = this.#ownFields()
    if (this.#others > 0) this.#others += 1
    else if ((fields?.depth ?? 0) > 1) fields?.open(kind, key)
    else if (!inNode && kind === 'object') {
      this.#nodes += 1
      this.#leaf = { fields: newObject(), line: this.#line(), level: this.#nodes }
    } else if (inNode && kind === 'array' && key === 'children') this.#nodes += 1
    else if (inNode && fields) fields.open(kind, key)
    else this.#others += 1
  }

  value(value: JsonValue, key: string | undefined): void {
    if (this.#others === 0) this.#ownFields()?.value(value, key)
  }

  close(): void {
    const fields = this.#ownFields()
    if (this.#others > 0) this.#others -= 1
    else if (fields && fields.depth > 1) fields.close()
    else {
      this.#nodes -= 1
      if (!fields || !this.#leaf) return
      const record = this.#format.recordOf(members(fields.root), this.#leaf.line)
      this.#leaf = undefined
      if (record) this.#found(record)
    }
  }

  /** The fields of the node that is being read, unless something was already found in it. */
  #ownFields(): JsonBuilder | undefined {
    return this.#leaf?.level === this.#nodes ? this.#leaf.fields : undefined
  }
}
