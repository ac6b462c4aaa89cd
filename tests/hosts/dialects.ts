/** The APIs with which hosts call models: OpenAI's two, Anthropic's and Google's. */
import { randomUUID } from 'node:crypto'

export type Json = { [name: string]: unknown }

export interface ToolName {
  name: string
  /** Codex groups the tools of a server. */
  namespace?: string | undefined
}

/** What the model answers: text, or the call of a tool. */
export type Turn = { say: string } | { call: ToolName; args: Json }

export interface Dialect {
  path: RegExp
  /** Names of tools that the API accepts. */
  names: RegExp
  tools(body: Json): ToolName[]
  /** All text for the model except results of tools. */
  prompt(body: Json): string
  results(body: Json): string[]
  /** The answer as one JSON object, and as a stream of events. */
  reply(turn: Turn): { whole: Json; stream: string }
}

const LETTERS = /^[a-zA-Z0-9_-]{1,64}$/
const fromUser = ({ role }: Json) => role === 'user'

const chat: Dialect = {
  path: /\/chat\/completions$/,
  names: LETTERS,
  tools: (body) => list(body.tools).map((tool) => ({ name: String(object(tool.function).name) })),
  prompt: (body) => textIn(list(body.messages).filter(fromUser)),
  results(body) {
    const results = list(body.messages).filter(({ role }) => role === 'tool')
    return results.map(({ content }) => textIn(content))
  },
  reply(turn) {
    const message = { role: 'assistant', ...('say' in turn ? { content: turn.say } : chatCall(turn)) }
    const finish_reason = 'say' in turn ? 'stop' : 'tool_calls'
    const common = { id: newId('c'), created: 1, model: 'stand-in' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const chunk = (choices: object[], more: object = {}) =>
      `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...more })}\n\n`
    return {
      whole: { ...common, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
      stream:
        chunk([{ index: 0, delta: message, finish_reason: null }]) +
        chunk([{ index: 0, delta: {}, finish_reason }]) +
        chunk([], { usage }) +
        'data: [DONE]\n\n'
    }
  }
}

function chatCall({ call, args }: { call: ToolName; args: Json }): object {
  const callee = { name: call.name, arguments: JSON.stringify(args) }
  return { content: null, tool_calls: [{ index: 0, id: newId('call'), type: 'function', function: callee }] }
}

const responses: Dialect = {
  path: /\/responses$/,
  names: LETTERS,
  tools: (body) =>
    list(body.tools).flatMap((tool): ToolName[] => {
      if (tool.type !== 'namespace') return typeof tool.name === 'string' ? [{ name: tool.name }] : []
      return list(tool.tools).map((inner) => ({ name: String(inner.name), namespace: String(tool.name) }))
    }),
  prompt: (body) => textIn(list(body.input).filter(fromUser)),
  results(body) {
    const results = list(body.input).filter(({ type }) => type === 'function_call_output')
    return results.map(({ output }) => textIn(output))
  },
  reply(turn) {
    const text = (say: string) => [{ type: 'output_text', text: say, annotations: [] }]
    const item =
      'say' in turn
        ? { type: 'message', id: newId('m'), role: 'assistant', content: text(turn.say) }
        : {
            type: 'function_call',
            id: newId('f'),
            call_id: newId('call'),
            ...turn.call,
            arguments: JSON.stringify(turn.args)
          }
    const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details }
    const common = { id: newId('r'), object: 'response', created_at: 1, model: 'stand-in', usage }
    const whole = { ...common, status: 'completed', output: [item] }
    return {
      whole,
      stream: events([
        ['response.created', { response: { ...common, status: 'in_progress', output: [] } }],
        ['response.output_item.added', { output_index: 0, item }],
        ['response.output_item.done', { output_index: 0, item }],
        ['response.completed', { response: whole }]
      ])
    }
  }
}

const anthropic: Dialect = {
  path: /\/messages$/,
  names: LETTERS,
  tools: (body) => list(body.tools).map((tool) => ({ name: String(tool.name) })),
  prompt: (body) => textIn(list(body.messages).filter(fromUser)),
  results(body) {
    const contents = list(body.messages).flatMap(({ content }) => list(content))
    return contents.filter(({ type }) => type === 'tool_result').map(({ content }) => textIn(content))
  },
  reply(turn) {
    const stop_reason = 'say' in turn ? 'end_turn' : 'tool_use'
    const common = { id: newId('msg'), type: 'message', role: 'assistant', model: 'stand-in', stop_sequence: null }
    const usage = { input_tokens: 1, output_tokens: 1 }
    const call = (input: Json) => 'call' in turn && { type: 'tool_use', id: newId('call'), name: turn.call.name, input }
    const [content, begun, delta] =
      'say' in turn
        ? [
            { type: 'text', text: turn.say },
            { type: 'text', text: '' },
            { type: 'text_delta', text: turn.say }
          ]
        : [call(turn.args), call({}), { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) }]
    return {
      whole: { ...common, usage, content: [content], stop_reason },
      stream: events([
        ['message_start', { message: { ...common, usage, content: [], stop_reason: null } }],
        ['content_block_start', { index: 0, content_block: begun }],
        ['content_block_delta', { index: 0, delta }],
        ['content_block_stop', { index: 0 }],
        ['message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } }],
        ['message_stop', {}]
      ])
    }
  }
}

const google: Dialect = {
  path: /:(streamGenerateContent|generateContent)$/,
  names: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
  tools(body) {
    const declarations = list(body.tools).flatMap((tool) => list(tool.functionDeclarations))
    return declarations.map(({ name }) => ({ name: String(name) }))
  },
  prompt: (body) => textIn(list(body.contents).filter(fromUser)),
  results(body) {
    const parts = list(body.contents).flatMap(({ parts }) => list(parts))
    const responses = parts.flatMap(({ functionResponse }) => (functionResponse ? [object(functionResponse)] : []))
    return responses.map(({ response }) => textIn(response))
  },
  reply(turn) {
    const part = 'say' in turn ? { text: turn.say } : { functionCall: { name: turn.call.name, args: turn.args } }
    const candidates = [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }]
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
    const whole = { candidates, usageMetadata, modelVersion: 'stand-in' }
    return { whole, stream: `data: ${JSON.stringify(whole)}\n\n` }
  }
}

export const DIALECTS: Dialect[] = [chat, responses, anthropic, google]

function events(all: [type: string, data: object][]): string {
  const texts = all.map(([type, data], sequence_number) => {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`
  })
  return texts.join('')
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** Joins all strings in a value. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return Object.values(object(value)).map(textIn).join('\n')
}

/** Hosts treat two calls or messages with the same id as one. */
function newId(kind: string): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`
}
