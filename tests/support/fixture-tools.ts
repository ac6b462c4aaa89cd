import { z } from 'zod'
import { defineTool, type Tool } from '../../src-main/mcp/tools/tool.ts'

const annotations = { openWorldHint: false }

function fixture(name: string, text: string, isError?: true): Tool {
  return defineTool({ name, title: name, description: name, annotations }, z.strictObject({}), async () => ({
    text,
    ...(isError && { isError })
  }))
}

/** The tools the conformance suite calls, as far as a server whose tools answer with one text can offer them. */
export const conformanceTools: Tool[] = [
  fixture('test_simple_text', 'This is a simple text response for testing.'),
  fixture('test_error_handling', 'This tool intentionally returns an error for testing', true),
  fixture('test_logging_tool', 'Nothing is logged.')
]

/** Answers at once with the same text. */
export const constantTool: Tool = fixture('constant', '{"ok":true}')

/** Every keyword of JSON Schema 2020-12 that the suite looks for, to show that a tool's schema reaches clients whole. */
const schemaTool: Tool = {
  ...fixture('json_schema_2020_12_tool', 'ok'),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } }
      }
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' }
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false
  }
}
conformanceTools.push(schemaTool)
