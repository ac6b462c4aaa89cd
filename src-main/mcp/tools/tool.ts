import { z } from 'zod'
import type { Caller } from '../../contract/caller.ts'
import type { Ports } from '../../contract/ports.ts'
import { explain, type Names } from './explain.ts'

/** A result longer than this, in UTF-8 bytes, floods a model's context. */
export const MOST_RESULT_BYTES = 64 * 1024

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

/** Plain callers are held to the argument table; for callers of MCP, `null` for an optional argument is "not given". */
type Manner = 'plain' | 'mcp'

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
  run: (ports: Ports, caller: Caller, input: z.infer<Schema>) => Promise<ToolResult>
): Tool {
  let listed: object | undefined
  const own = Object.keys(schema.shape)
  const names = { own, others: otherNames, valid: valid ?? own.join(', ') }
  return {
    ...facts,
    get inputSchema() {
      listed ??= inputSchemaOf(schema)
      return listed
    },
    prepare(input, manner) {
      const parsed = schema.safeParse(manner === 'mcp' ? withoutNulls(input) : input)
      if (!parsed.success) return { fault: explain(parsed.error, names) }
      return { run: (ports, caller) => run(ports, caller, parsed.data) }
    }
  }
}

function inputSchemaOf(schema: z.ZodObject): object {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' })
  return inputSchema
}

function withoutNulls(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}
