/** Where the service answers JSON-RPC and MCP. */
export const ENDPOINT_PATH = '/api/tools/mcp'

/** Where editors expect the service. */
export const DEFAULT_PORT = 20727

/** @param origin the service's */
export function endpointOf(origin: string): string {
  return `${origin}${ENDPOINT_PATH}`
}

/** The name of the session's cookie carries the port: cookies are shared by all ports of a host. */
export function sessionCookieName(port: string): string {
  return `earmark_${port || '80'}`
}
