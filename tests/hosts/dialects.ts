/** The forms in which hosts talk to models: OpenAI's two, Anthropic's and Google's. */
import { randomUUID } from 'node:crypto'

export type Json = { [name: string]: unknown }

export interface ToolName {
  name: string
  /** Codex lists the tools of a server under one. */
  namespace?: string | undefined
}

export type Turn = { say: string } | { call: ToolName; args: Json }

export interface Dialect {
  path: RegExp
  /** Names of tools that the API takes. */
  names: RegExp
  tools(body: Json): ToolName[]
  /** All that was said to the model but results, as one text. */
  prompt(body: Json): string
  results(body: Json): string[]
  reply(turn: Turn, body: Json, streams: boolean): { type: string; text: string }
}

const LETTERS = /^[a-zA-Z0-9_-]{1,64}$/
const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json'

const chat: Dialect = {
  path: /\/chat\/completions$/,
  names: LETTERS,
  tools: (body) => list(body.tools).map((tool) => ({ name: String(object(tool.function).name) })),
  prompt: (body) => textIn(list(body.messages).filter(({ role }) => role === 'user')),
  results: (body) =>
    list(body.messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textIn(content)),
  reply(turn, _body, streams) {
    const message =
      'say' in turn
        ? { role: 'assistant', content: turn.say }
        : {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                index: 0,
                id: newId('call'),
                type: 'function',
                function: { name: turn.call.name, arguments: JSON.stringify(turn.args) }
              }
            ]
          }
    const finish_reason = 'say' in turn ? 'stop' : 'tool_calls'
    const common = { id: newId('c'), created: 1, model: 'stand-in' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    if (!streams) {
      const choices = [{ index: 0, message, finish_reason }]
      return { type: JSON_TYPE, text: JSON.stringify({ ...common, object: 'chat.completion', choices, usage }) }
    }
    const chunk = (choices: object[], more: object = {}) =>
      `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...more })}\n\n`
    const text =
      chunk([{ index: 0, delta: message, finish_reason: null }]) +
      chunk([{ index: 0, delta: {}, finish_reason }]) +
      chunk([], { usage }) +
      'data: [DONE]\n\n'
    return { type: EVENTS, text }
  }
}

const responses: Dialect = {
  path: /\/responses$/,
  names: LETTERS,
  tools: (body) =>
    list(body.tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? list(tool.tools).map((inner) => ({ name: String(inner.name), namespace: String(tool.name) }))
        : typeof tool.name === 'string'
          ? [{ name: tool.name }]
          : []
    ),
  prompt: (body) => textIn(list(body.input).filter(({ role }) => role === 'user')),
  results: (body) =>
    list(body.input)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => textIn(output)),
  reply(turn, _body, streams) {
    const item =
      'say' in turn
        ? {
            type: 'message',
            id: newId('m'),
            role: 'assistant',
            content: [{ type: 'output_text', text: turn.say, annotations: [] }]
          }
        : {
            type: 'function_call',
            id: newId('f'),
            call_id: newId('call'),
            ...turn.call,
            arguments: JSON.stringify(turn.args)
          }
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2
    }
    const whole = {
      id: newId('r'),
      object: 'response',
      created_at: 1,
      model: 'stand-in',
      status: 'completed',
      output: [item],
      usage
    }
    if (!streams) return { type: JSON_TYPE, text: JSON.stringify(whole) }
    const text = events([
      ['response.created', { response: { ...whole, status: 'in_progress', output: [] } }],
      ['response.output_item.added', { output_index: 0, item }],
      ['response.output_item.done', { output_index: 0, item }],
      ['response.completed', { response: whole }]
    ])
    return { type: EVENTS, text }
  }
}

const anthropic: Dialect = {
  path: /\/messages$/,
  names: LETTERS,
  tools: (body) => list(body.tools).map((tool) => ({ name: String(tool.name) })),
  prompt: (body) => textIn(list(body.messages).filter(({ role }) => role === 'user')),
  results: (body) =>
    list(body.messages)
      .flatMap(({ content }) => list(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textIn(content)),
  reply(turn, _body, streams) {
    const block =
      'say' in turn
        ? { type: 'text', text: turn.say }
        : { type: 'tool_use', id: newId('call'), name: turn.call.name, input: turn.args }
    const stop_reason = 'say' in turn ? 'end_turn' : 'tool_use'
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = {
      id: newId('msg'),
      type: 'message',
      role: 'assistant',
      model: 'stand-in',
      stop_sequence: null,
      usage
    }
    if (!streams) return { type: JSON_TYPE, text: JSON.stringify({ ...message, content: [block], stop_reason }) }
    const delta =
      'say' in turn
        ? { type: 'text_delta', text: turn.say }
        : { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) }
    const begun = 'say' in turn ? { type: 'text', text: '' } : { ...block, input: {} }
    const text = events([
      ['message_start', { message: { ...message, content: [], stop_reason: null } }],
      ['content_block_start', { index: 0, content_block: begun }],
      ['content_block_delta', { index: 0, delta }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } }],
      ['message_stop', {}]
    ])
    return { type: EVENTS, text }
  }
}

const google: Dialect = {
  path: /:(streamGenerateContent|generateContent)$/,
  names: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
  tools: (body) =>
    list(body.tools).flatMap((tool) =>
      list(tool.functionDeclarations).map((declaration) => ({ name: String(declaration.name) }))
    ),
  prompt: (body) => textIn(list(body.contents).filter(({ role }) => role === 'user')),
  results: (body) =>
    list(body.contents)
      .flatMap(({ parts }) => list(parts))
      .filter((part) => part.functionResponse !== undefined)
      .map((part) => textIn(object(part.functionResponse).response)),
  reply(turn, _body, streams) {
    const part = 'say' in turn ? { text: turn.say } : { functionCall: { name: turn.call.name, args: turn.args } }
    const candidates = [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }]
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
    const text = JSON.stringify({ candidates, usageMetadata, modelVersion: 'stand-in' })
    return streams ? { type: EVENTS, text: `data: ${text}\n\n` } : { type: JSON_TYPE, text }
  }
}

export const DIALECTS: Dialect[] = [chat, responses, anthropic, google]

function events(all: [string, object][]): string {
  return all
    .map(
      ([type, data], sequence_number) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`
    )
    .join('')
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** Every string in a value, one after the other. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).join('\n')
  return typeof value === 'object' && value !== null ? Object.values(value).map(textIn).join('\n') : ''
}

/** Hosts take two calls or two messages with one id for the same. */
function newId(kind: string): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`
}
