import { shell } from 'electron'

/** How the links begin by which an editor takes Earmark in: src-renderer/features/keys/editors.ts. */
const INSTALL_LINKS = ['vscode:mcp/install?', 'cursor://anysphere.cursor-deeplink/mcp/install?']

/**
 * Opens a page in the system's browser, or hands an editor the link that installs Earmark there. Any other scheme might
 * start any program, and is ignored.
 */
export function openOutside(address: string): void {
  if (!URL.canParse(address)) return
  const { protocol, href } = new URL(address)
  if (protocol === 'http:' || protocol === 'https:') shell.openExternal(href).catch(noProgram)
  if (INSTALL_LINKS.some((link) => href.startsWith(link))) shell.openExternal(href).catch(noProgram)
}

/** There is no such program here, which the system tells as it does in a browser. */
function noProgram(): void {}
