import type { JsonEvents, JsonValue } from './json-reader.ts'
import { JsonBuilder, type JsonObject, MOST_VALUES } from './json-records.ts'

/** The members of one object whose other members are read elsewhere. What is too much of them is left out. */
export class NodeFields implements JsonEvents {
  readonly all: JsonObject = Object.create(null)
  #kept = 0
  #within: { name: string; value: JsonBuilder } | undefined

  /** A member is an object or an array, and has not ended. */
  get isWithin(): boolean {
    return this.#within !== undefined
  }

  open(kind: 'object' | 'array', key: string | undefined): void {
    if (this.#within) this.#within.value.open(kind, key)
    else {
      this.#within = { name: key ?? '', value: new JsonBuilder() }
      this.#within.value.open(kind, undefined)
    }
  }

  value(value: JsonValue, key: string | undefined): void {
    if (this.#within) this.#within.value.value(value, key)
    else if (key !== undefined) this.#keep(key, value)
  }

  close(): void {
    if (!this.#within) return
    const { name, value } = this.#within
    value.close()
    if (value.depth > 0) return
    this.#keep(name, value.root)
    this.#within = undefined
  }

  #keep(name: string, value: JsonObject[string]): void {
    this.#kept += 1
    if (this.#kept <= MOST_VALUES) this.all[name] = value
  }
}
