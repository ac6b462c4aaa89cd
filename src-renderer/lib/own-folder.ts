import { session } from '../strings/session.ts'

/** Where this browser keeps the service's data folder, for when the service can no longer be asked. */
const KEY = 'earmark-data-folder'

/** Remembers where the service's data lies, if commands must be told. */
export function rememberOwnFolder(folder: string | null): void {
  if (folder === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, folder)
}

/** Returns the command that logs in again; `undefined` if the installed app needs none. */
export function loginCommand(): string | undefined {
  return session.loginCommand && withFolder(session.loginCommand, ' ')
}

/** Returns the command that starts the service again. */
export function startCommand(): string | undefined {
  return session.startCommand && withFolder(session.startCommand, ' -- ')
}

function withFolder(command: string, between: string): string {
  const folder = localStorage.getItem(KEY)
  return folder === null ? command : `${command}${between}--data ${quoted(folder)}`
}

/** As any shell reads it. */
function quoted(path: string): string {
  return /[^\w/\\:.@+-]/.test(path) ? `"${path}"` : path
}
