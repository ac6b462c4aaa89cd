/** Where the service answers JSON-RPC and MCP. */
export const ENDPOINT_PATH = '/api/tools/mcp'

/** Where editors expect the service. */
export const DEFAULT_PORT = 20727

/** @param origin the service's */
export function endpointOf(origin: string): string {
  return `${origin}${ENDPOINT_PATH}`
}

/** Where programs reach the service: their lookups know no other name of this machine everywhere. */
export function programOrigin(port: number | string): string {
  return originOf('127.0.0.1', port)
}

/** @param port empty or 80 for HTTP's own, which no address shows */
export function originOf(host: string, port: number | string): string {
  return `http://${host}${['', 80, '80'].includes(port) ? '' : `:${port}`}`
}

/** The name of the session's cookie. */
export const SESSION_COOKIE = 'earmark'

/** Carries the session where the dashboard is at an address whose cookies other programs receive too. */
export const SESSION_HEADER = 'x-earmark-session'
