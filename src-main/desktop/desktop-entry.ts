/**
 * Returns the file that has a program started at login, from the Desktop Application Autostart Specification of
 * freedesktop.org.
 *
 * @param command the program and its arguments
 */
export function autostartEntry(command: string[]): string {
  return desktopEntry([`Exec=${command.map(quoted).join(' ')}`, 'X-GNOME-Autostart-enabled=true'])
}

/**
 * Returns the file that puts a program into the applications menu and gives it `earmark://` links, from the Desktop Entry
 * Specification of freedesktop.org.
 *
 * @param command the program and its arguments; a link comes after them
 */
export function menuEntry(command: string[], icon: string): string {
  return desktopEntry([
    `Exec=${command.map(quoted).join(' ')} %u`,
    `Icon=${icon}`,
    'Categories=Office;',
    'MimeType=x-scheme-handler/earmark;',
    'StartupWMClass=app.earmark.Earmark'
  ])
}

function desktopEntry(lines: string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Earmark',
    'Comment=Bookmarks for you and the agents in your editor',
    'Terminal=false',
    ...lines,
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
