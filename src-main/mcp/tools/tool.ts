import { z } from 'zod'
import type { Caller } from '../../contract/caller.ts'
import type { Ports } from '../../contract/ports.ts'

/** A result longer than this, in UTF-8 bytes, floods a model's context. */
export const MOST_RESULT_BYTES = 64 * 1024

/** What a tool gives back: the text a client hands to its model. */
export interface ToolResult {
  text: string
  isError?: true
  /** Bookmarks found or saved, for the ledger. */
  results?: number
  /** The call's row in the ledger, where the tool already wrote one. */
  callId?: number
}

/** A tool as clients see it, and what it does. `prepare` takes a client's arguments apart without doing anything yet. */
export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: object
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean }
  prepare(input: unknown): { run(ports: Ports, caller: Caller): Promise<ToolResult> } | { fault: string }
}

/** Builds a tool from its argument schema, whose JSON form is made once. */
export function defineTool<Schema extends z.ZodObject>(
  facts: Pick<Tool, 'name' | 'title' | 'description' | 'annotations'>,
  schema: Schema,
  run: (ports: Ports, caller: Caller, input: z.infer<Schema>) => Promise<ToolResult>
): Tool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' })
  return {
    ...facts,
    inputSchema,
    prepare(input) {
      const parsed = schema.safeParse(input)
      if (!parsed.success) return { fault: explain(parsed.error) }
      return { run: (ports, caller) => run(ports, caller, parsed.data) }
    }
  }
}

/** Every fault with the argument it concerns, in one line. */
function explain(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
