/** Whether this is the installed app: told by the page, for when the service cannot be asked. */
export const packaged = 'packaged' in document.documentElement.dataset

/** Where this browser keeps the service's data folder, for when the service can no longer be asked. */
const KEY = 'earmark-data-folder'

/** Remembers where the service's data lies, if commands must be told. */
export function rememberOwnFolder(folder: string | null): void {
  if (folder === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, folder)
}

/** Returns the command that logs in again; `undefined` if the installed app needs none. */
export function loginCommand(): string | undefined {
  return packaged ? undefined : withFolder('npm run -s earmark -- login', ' ')
}

/** Returns the command that starts the service again. */
export function startCommand(): string | undefined {
  return packaged ? undefined : withFolder('npm start', ' -- ')
}

function withFolder(command: string, between: string): string {
  const folder = localStorage.getItem(KEY)
  return folder === null ? command : `${command}${between}--data ${quoted(folder)}`
}

/** As any shell reads it. */
function quoted(path: string): string {
  return /[^\w/\\:.@+-]/.test(path) ? `"${path}"` : path
}
