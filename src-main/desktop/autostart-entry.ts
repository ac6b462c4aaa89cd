/**
 * The file that has a program started at login, from the Desktop Application Autostart Specification of freedesktop.org.
 *
 * @param command the program and its arguments
 */
export function autostartEntry(command: string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Earmark',
    'Comment=Bookmarks for you and the agents in your editor',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    ''
  ].join('\n')
}

/** Quoted as the Exec key wants it: the string's own escapes, then those of an argument, then `%` doubled. */
function quoted(argument: string): string {
  const escaped = argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${escaped}"`
}
