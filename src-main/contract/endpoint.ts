/** The path of the MCP endpoint, which also accepts plain JSON-RPC. */
export const ENDPOINT_PATH = '/api/tools/mcp'

/** The path at which the service proves that it has the command line's token. */
export const PROOF_PATH = '/api/proof'

/** The port that editors are configured with. */
export const DEFAULT_PORT = 20727

export function endpointAddress(origin: string): string {
  return `${origin}${ENDPOINT_PATH}`
}

/** Returns the service's address for programs. Some programs cannot resolve a name below `localhost`. */
export function programOrigin(port: number | string): string {
  return originOf('127.0.0.1', port)
}

/** @param port empty or 80 for HTTP's default, which addresses leave out */
export function originOf(host: string, port: number | string): string {
  return `http://${host}${['', 80, '80'].includes(port) ? '' : `:${port}`}`
}

export const SESSION_COOKIE = 'earmark'

/** The header that replaces the session cookie at addresses whose cookies other programs also receive. */
export const SESSION_HEADER = 'x-earmark-session'
