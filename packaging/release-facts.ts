import manifest from '../package.json' with { type: 'json' }

/** The name of the MCP server in the registry: the owner’s domain, the last part first. */
export const mcpName = `${new URL(manifest.homepage).hostname.split('.').toReversed().join('.')}/earmark`

/** The npm package that holds the bridge alone. */
export const npmName = 'earmark-mcp'

/** Where a file of this version’s release can be downloaded. */
export function releaseAddress(file: string): string {
  return new URL(`releases/download/v${manifest.version}/${file}`, manifest.homepage).href
}
