import type { ImportedItem, ImportedRecord, RecordReader } from '../contract/import-format.ts'
import { type JsonEvents, JsonReader, type JsonValue } from './json-reader.ts'
import { writeLines } from './lines.ts'

export type JsonObject = { [key: string]: JsonNode }
export type JsonNode = JsonValue | JsonObject | JsonNode[]

/** Members and elements that are kept of one object, their text, and how deep: more than any record of any format needs. */
const MOST_VALUES = 10_000
const MOST_TEXT = 8_388_608
const DEEPEST = 16

/** Builds one value from what is read. What is too much or too deep is left out. */
export class JsonBuilder implements JsonEvents {
  /** The value, once `depth` is 0 again. */
  root: JsonNode = null
  depth = 0
  readonly #open: (JsonObject | JsonNode[])[] = []
  #values = 0
  #text = 0

  open(kind: 'object' | 'array', key: string | undefined): void {
    const made: JsonObject | JsonNode[] = kind === 'array' ? [] : Object.create(null)
    if (this.depth < DEEPEST) {
      this.#add(made, key)
      this.#open.push(made)
    }
    this.depth += 1
  }

  value(value: JsonValue, key: string | undefined): void {
    if (this.depth <= DEEPEST) this.#add(value, key)
  }

  close(): void {
    this.depth -= 1
    if (this.depth < DEEPEST) this.#open.pop()
  }

  #add(value: JsonNode, key: string | undefined): void {
    const around = this.#open.at(-1)
    this.#values += 1
    this.#text += (key?.length ?? 0) + (typeof value === 'string' ? value.length : 0)
    if (around === undefined) this.root = value
    else if (this.#values > MOST_VALUES || this.#text > MOST_TEXT) return
    else if (Array.isArray(around)) around.push(value)
    else if (key !== undefined) around[key] = value
  }
}

/** A builder of an object whose members are written next, without its own opening and end. */
export function newObject(): JsonBuilder {
  const builder = new JsonBuilder()
  builder.open('object', undefined)
  return builder
}

/** Reads the records of a JSON format. */
export interface JsonFormat<Item extends ImportedItem> extends JsonEvents {
  /** Gives what was still waiting when the file ended, or broke off. */
  end?(): Item[]
}

/**
 * Reads a format that is one JSON text. Where it is broken, the records before that are kept, and the break itself is
 * a record that cannot be imported.
 *
 * @param format makes what is told of the text; it gives each record to `found`
 */
export function jsonReader<Item extends ImportedItem>(
  format: (found: (record: Item) => void, line: () => number) => JsonFormat<Item>
): RecordReader<Item | ImportedRecord> {
  let complete: (Item | ImportedRecord)[] = []
  let line = 1
  let broken = false
  const events = format(
    (record) => complete.push(record),
    () => line
  )
  const reader = new JsonReader(events)

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      broken = true
      complete.push(...(events.end?.() ?? []), brokenAt(line))
    }
  }

  function take(): (Item | ImportedRecord)[] {
    const taken = complete
    complete = []
    return taken
  }

  return {
    write(text) {
      if (broken) return []
      attempt(() =>
        writeLines(
          text,
          (piece) => reader.write(piece),
          () => {
            line += 1
          }
        )
      )
      return take()
    },
    end() {
      if (broken) return []
      attempt(() => {
        reader.end()
        complete.push(...(events.end?.() ?? []))
      })
      return take()
    }
  }
}

/** Tells of the whole objects at some places of a JSON text, and of nothing else. */
export class JsonRecords implements JsonEvents {
  readonly #take: (record: JsonNode, path: string, line: number) => void
  readonly #paths: string[]
  readonly #line: () => number
  /** Names of the members around, with `*` in an array. */
  readonly #path: string[] = []
  readonly #arrays: boolean[] = []
  #building: { value: JsonBuilder; path: string; line: number } | undefined
  /** Deeper than any path, only the depth is counted. */
  #below = 0
  readonly #deepest: number

  /** @param paths such as `bookmarks.*`; what is at the top has the path of its own members, such as `*` */
  constructor(paths: string[], line: () => number, take: (record: JsonNode, path: string, line: number) => void) {
    this.#paths = paths
    this.#line = line
    this.#take = take
    this.#deepest = Math.max(...paths.map((path) => path.split('.').length))
  }

  open(kind: 'object' | 'array', key: string | undefined): void {
    if (this.#building) {
      this.#building.value.open(kind, key)
      return
    }
    if (this.#below > 0 || this.#arrays.length > this.#deepest) {
      this.#below += 1
      return
    }
    const path = this.#pathOf(key)
    if (path !== undefined && this.#paths.includes(path)) {
      this.#building = { value: new JsonBuilder(), path, line: this.#line() }
      this.#building.value.open(kind, undefined)
      return
    }
    if (this.#arrays.length > 0) this.#path.push(this.#arrays.at(-1) ? '*' : (key ?? ''))
    this.#arrays.push(kind === 'array')
  }

  value(value: JsonValue, key: string | undefined): void {
    if (this.#building) {
      this.#building.value.value(value, key)
      return
    }
    const path = this.#below > 0 ? undefined : this.#pathOf(key)
    if (path !== undefined && this.#paths.includes(path)) this.#take(value, path, this.#line())
  }

  close(): void {
    if (this.#building) {
      const { value, path, line } = this.#building
      value.close()
      if (value.depth > 0) return
      this.#building = undefined
      this.#take(value.root, path, line)
    } else if (this.#below > 0) this.#below -= 1
    else {
      this.#arrays.pop()
      this.#path.pop()
    }
  }

  #pathOf(key: string | undefined): string | undefined {
    if (this.#arrays.length === 0) return undefined
    return [...this.#path, this.#arrays.at(-1) ? '*' : (key ?? '')].join('.')
  }
}

/** The members of what is an object; of anything else none. */
export function members(value: JsonNode | undefined): JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}

export function elements(value: JsonNode | undefined): JsonNode[] {
  return Array.isArray(value) ? value : []
}

/** A text as it is, a number as text; anything else is no text. */
export function textOf(value: JsonNode | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function brokenAt(line: number): ImportedRecord {
  const fault = 'the file is damaged or cut off here; what follows cannot be read'
  return { line, fault, url: '', title: '', description: '', tags: [] }
}
