/** Whether this is the installed app. The page has it as an attribute, because the service may not answer. */
export const packaged = 'packaged' in document.documentElement.dataset

/** The storage key of the service's data folder. It is stored because the service may not answer. */
const FOLDER_KEY = 'earmark-data-folder'

/** Stores the data folder for commands that need it; `null` if they do not. */
export function rememberOwnFolder(folder: string | null): void {
  if (folder === null) localStorage.removeItem(FOLDER_KEY)
  else localStorage.setItem(FOLDER_KEY, folder)
}

/** Returns the command that logs in again; `undefined` if the installed app needs none. */
export function loginCommand(): string | undefined {
  return packaged ? undefined : withFolder('npm run -s earmark -- login', ' ')
}

/** Returns the command that starts the service again. */
export function startCommand(): string | undefined {
  return packaged ? undefined : withFolder('npm start', ' -- ')
}

function withFolder(command: string, separator: string): string {
  const folder = localStorage.getItem(FOLDER_KEY)
  return folder === null ? command : `${command}${separator}--data ${quotePath(folder)}`
}

/** Quotes a path so that every shell reads it as one argument. */
function quotePath(path: string): string {
  return /[^\w/\\:.@+-]/.test(path) ? `"${path}"` : path
}
