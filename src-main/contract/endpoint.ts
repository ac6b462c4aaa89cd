/** The path of JSON-RPC and MCP. */
export const ENDPOINT_PATH = '/api/tools/mcp'

/** Where the service proves that it knows the command line's token. */
export const PROOF_PATH = '/api/proof'

/** The port that editors are configured with. */
export const DEFAULT_PORT = 20727

export function endpointOf(origin: string): string {
  return `${origin}${ENDPOINT_PATH}`
}

/** The address of the service for programs: not all resolve another name of this machine. */
export function programOrigin(port: number | string): string {
  return originOf('127.0.0.1', port)
}

/** @param port empty or 80 for HTTP's default, which addresses leave out */
export function originOf(host: string, port: number | string): string {
  return `http://${host}${['', 80, '80'].includes(port) ? '' : `:${port}`}`
}

export const SESSION_COOKIE = 'earmark'

/** Carries the session if the dashboard's address is one whose cookies other programs receive too. */
export const SESSION_HEADER = 'x-earmark-session'
