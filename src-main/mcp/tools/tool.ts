import { z } from 'zod'
import type { Ports } from '../../actions/ports.ts'
import type { Caller } from '../../contract/caller.ts'
import { cut } from '../../core/clean-text.ts'
import { editDistance } from '../../core/edit-distance.ts'

/** The result of a tool: the text a client hands to its model. */
export interface ToolResult {
  text: string
  isError?: true
  /** Bookmarks found or saved, for the ledger. */
  results?: number
  /** Why it was refused, for the ledger. */
  refused?: string
  /** The call's row in the ledger, where the tool already wrote one. */
  callId?: number
}

/** A tool as clients see it. */
export interface ToolFacts {
  name: string
  title: string
  description: string
  inputSchema: object
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean }
  /** Fields that only some hosts read. */
  _meta?: object | undefined
}

/**
 * Plain callers are held to the argument table and get every field. Callers of MCP are models: arguments of the right
 * meaning in another JSON type are read as meant, and results leave out what says nothing.
 */
export type Manner = 'plain' | 'mcp'

/** A tool and what it does. `prepare` takes a client's arguments apart without doing anything yet. */
export interface Tool extends ToolFacts {
  prepare(
    input: object,
    manner?: Manner
  ): { run(ports: Ports, caller: Caller): Promise<ToolResult> } | { fault: string }
}

interface Definition extends Omit<ToolFacts, 'inputSchema'> {
  /** Other names that a model may use if it never saw the argument table, by the arguments' own names. */
  otherNames?: Names['others']
  /** The sentence about valid arguments that replaces their list. */
  valid?: string
}

/** Builds a tool from its argument schema, whose JSON form is made once, for who first lists it. */
export function defineTool<Schema extends z.ZodObject>(
  { otherNames = {}, valid, ...facts }: Definition,
  schema: Schema,
  run: (ports: Ports, caller: Caller, input: z.infer<Schema>, manner: Manner) => Promise<ToolResult>
): Tool {
  let listed: z.core.JSONSchema.BaseSchema | undefined
  const own = Object.keys(schema.shape)
  const names = { own, others: otherNames, valid: valid ?? own.join(', ') }
  function inputSchema() {
    listed ??= inputSchemaOf(schema)
    return listed
  }
  return {
    ...facts,
    get inputSchema() {
      return inputSchema()
    },
    prepare(input, manner = 'plain') {
      const parsed = schema.safeParse(manner === 'mcp' ? asMeant(input, inputSchema()) : input)
      if (!parsed.success) return { fault: explain(parsed.error, names) }
      return { run: (ports, caller) => run(ports, caller, parsed.data, manner) }
    }
  }
}

function inputSchemaOf(schema: z.ZodObject): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // Some hosts refuse a tool whose `anyOf` stands beside a description: the list is shown, a string is taken too.
      const list = jsonSchema.anyOf?.find(({ type }) => type === 'array')
      if (!list) return
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, list)
    }
  })
  return inputSchema
}

/**
 * Models send null or an empty text for what they leave out, numbers as text, text as a number, lists as JSON text, and
 * the values of a list of choices in another case.
 */
function asMeant(input: object, { properties = {}, required = [] }: z.core.JSONSchema.BaseSchema): object {
  const meant = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return []
    const schema = properties[name]
    if (typeof schema !== 'object') return [[name, value]]
    if (typeof value === 'number' && schema.type === 'string' && !schema.enum) return [[name, String(value)]]
    if (typeof value !== 'string') return [[name, value]]
    if (value.trim() === '' && !required.includes(name)) return []
    if (schema.type === 'integer' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return [[name, Number(value)]]
    const choice = value.trim().toLowerCase()
    if (schema.enum?.includes(choice)) return [[name, choice]]
    const list = schema.type === 'array' ? jsonIn(value) : undefined
    return [[name, Array.isArray(list) ? list : value]]
  })
  return Object.fromEntries(meant)
}

/** Returns the object or list that a text holds as JSON. */
export function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The arguments of a tool. */
interface Names {
  own: string[]
  /** Other names that a model may use if it never saw the argument table, by the arguments' own names. */
  others: Record<string, string[]>
  /** Which there are, in words. */
  valid: string
}

/** Every fault with the argument it concerns, in one line that says what to send instead. */
function explain(error: z.ZodError, names: Names): string {
  return error.issues
    .map((issue) => {
      if (issue.code === 'unrecognized_keys') return unknown(issue.keys, names)
      return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
    })
    .join('; ')
}

function unknown(keys: string[], names: Names): string {
  const named = keys.slice(0, MOST_NAMED).map((key) => `“${cut(key, 40)}”`)
  const nearest = keys.length === 1 ? nearestOf(keys[0] ?? '', names) : undefined
  const parts = [
    `Unknown argument${named.length > 1 ? 's' : ''} ${named.join(', ')}.`,
    ...(nearest === undefined ? [] : [`Did you mean “${nearest}”?`]),
    `Valid: ${names.valid}`
  ]
  return parts.join(' ')
}

const MOST_NAMED = 5

function nearestOf(key: string, { own, others }: Names): string | undefined {
  const word = key
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const meant = own.find((name) => others[name]?.includes(word))
  if (meant !== undefined) return meant
  const near = own.map((name) => ({ name, distance: editDistance(word, name, 2) }))
  return near.sort((a, b) => a.distance - b.distance).find(({ distance }) => distance <= 2)?.name
}
