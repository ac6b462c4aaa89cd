/** What a message over stdio says, as far as it is well formed. */
export interface StdioMessage {
  method?: unknown
  params?: { name?: unknown; _meta?: Record<string, unknown> }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The headers that a client of the message's revision would send with it over HTTP. */
export function versionHeaders(
  { method, params }: StdioMessage,
  agreedVersion: string | undefined
): Record<string, string> {
  const modern = params?._meta?.[VERSION]
  if (typeof modern === 'string') {
    const headers = { 'mcp-protocol-version': modern, 'mcp-method': String(method) }
    return typeof params?.name === 'string' ? { ...headers, 'mcp-name': headerText(params.name) } : headers
  }
  return agreedVersion === undefined || method === 'initialize' ? {} : { 'mcp-protocol-version': agreedVersion }
}

/** A header holds visible ASCII; anything else travels in base64 (MCP 2026-07-28, standard headers). */
function headerText(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
