import { execFileSync } from 'node:child_process'

/** The part of Windows' registry that belongs to this account, as far as browsers look for programs there. */
export interface Registry {
  /** Returns the value of a key; `undefined` if there is none. */
  read(key: string): string | undefined
  write(key: string, value: string): void
  remove(key: string): void
}

/** By the program that comes with Windows. Keys are below HKEY_CURRENT_USER\Software. */
export const registry: Registry = {
  read(key) {
    try {
      return /REG_SZ\s+(.*?)\r?\n/.exec(reg('query', key, '/ve'))?.[1]
    } catch {
      return undefined
    }
  },
  write: (key, value) => void reg('add', key, '/ve', '/t', 'REG_SZ', '/d', value, '/f'),
  remove: (key) => void reg('delete', key, '/f')
}

function reg(action: string, key: string, ...options: string[]): string {
  return execFileSync('reg', [action, `HKCU\\Software\\${key}`, ...options], { encoding: 'utf8', stdio: 'pipe' })
}
