/** The texts to paste into editors and terminals. */
import { t } from '@lingui/core/macro'

/** The values in the texts to paste. */
export interface Connection {
  /** The endpoint's address, from `editorAddress`. */
  url: string
  /** The key's secret, or a placeholder. */
  key: string
  keyId: string
  /** Whether the secret is stored in the keychain or a file. */
  kept: boolean
  /** The command with which a host starts Earmark. */
  program: { command: string; args: string[] }
  /** The data folder, if it is not the default one. */
  ownFolder: string | null
  /** The system on which it is pasted. */
  system: System
}

/** A text to paste, and where to paste it. */
export interface Step {
  say: string
  text: string
}

/** The variable with the key, for editors that keep it out of their file. */
export const VARIABLE = 'EARMARK_KEY'

/** A command with the variable of the key, not the key: every user of a computer can see the arguments of a command. */
export function terminal({ system }: Connection, words: string[]): Step {
  return { say: t`Run in a terminal`, text: commandLine([...words, `x-api-key: \${${VARIABLE}}`], system) }
}

/** A server in the JSON file of an editor. */
export function file(place: string, entry: object, servers = 'mcpServers'): Step {
  return { say: t`Put into ${place}`, text: pretty({ [servers]: { earmark: entry } }) }
}

export function server(url: string, key: string): object {
  return { url, headers: { 'x-api-key': key } }
}

/** For hosts that start a program. It reads the key from the keychain if it is stored there, otherwise from a variable. */
export function program(place: string, to: Connection): Step[] {
  const step = file(place, programServer(to))
  return [
    to.kept ? { ...step, say: `${step.say}. ${t`The key stays in your keychain and is not in the file.`}` } : step
  ]
}

export function programServer({ keyId, kept, key, program, ownFolder }: Connection) {
  const id = kept ? ['--key-id', keyId] : []
  const args = [...program.args, 'mcp-stdio', ...id, '--names', 'underscore', ...folderOption(ownFolder)]
  return { command: program.command, args, env: kept ? undefined : { [VARIABLE]: key } }
}

export function folderOption(ownFolder: string | null): string[] {
  return ownFolder === null ? [] : ['--data', ownFolder]
}

/** Sets the variable with the key for programs that the shell starts. */
export function variable({ key, system }: Connection): Step {
  if (isWindows(system))
    return { say: t`Run this in a terminal once, then restart the editor.`, text: `setx ${VARIABLE} "${key}"` }
  return {
    say: t`Set this in the shell you start the editor from. To keep it, add it to the shell’s startup file, such as ~/.zshrc or ~/.bashrc.`,
    text: `export ${VARIABLE}=${key}`
  }
}

/** Sets the variable for an editor that is started from the desktop. Only on Windows does it get a shell's variables. */
export function variableOfWindow(connection: Connection): Step[] {
  const { key, system } = connection
  const shell = variable(connection)
  if (system === 'macos') {
    return [
      {
        say: t`Run this in a terminal, then restart the editor. An editor that you start from the Dock does not get the variables of a shell. This lasts until you log out. While the command runs, other users of this computer can see the key.`,
        text: `launchctl setenv ${VARIABLE} ${key}`
      },
      {
        ...shell,
        say: t`If you start the editor from a terminal, set the variable in that terminal. If Earmark connects the editor for you, you do not need to set it.`
      }
    ]
  }
  if (system === 'linux') {
    return [
      {
        say: t`Add this to ~/.config/environment.d/earmark.conf and log in again. An editor that you start from a menu does not get the variables of a shell.`,
        text: `${VARIABLE}=${key}`
      },
      {
        ...shell,
        say: t`If you start the editor from a terminal, set the variable in that terminal. If Earmark connects the editor for you, you do not need to set it.`
      }
    ]
  }
  return [shell]
}

export function pretty(value: object): string {
  return JSON.stringify(value, null, 2)
}

/** The shells for commands, which differ in how they quote words and set variables. */
export type System = 'macos' | 'linux' | 'powershell' | 'cmd'

export const SYSTEMS: System[] = ['macos', 'linux', 'powershell', 'cmd']

/** Returns the system of a browser. */
export function systemOf(userAgent: string): System {
  if (/Mac|iPhone|iPad/.test(userAgent)) return 'macos'
  return /Windows/.test(userAgent) ? 'powershell' : 'linux'
}

export function isWindows(system: System): boolean {
  return system === 'powershell' || system === 'cmd'
}

/** Joins words to a command line, quoted for the shell. */
export function commandLine(words: string[], system: System): string {
  const line = words.map((word) => quoteWord(word, system)).join(' ')
  // In PowerShell a quoted word is a text, unless `&` calls it.
  return system === 'powershell' && line.startsWith("'") ? `& ${line}` : line
}

/** Quotes a text so that the shell reads it as one word. */
function quoteWord(text: string, system: System): string {
  if (PLAIN[system].test(text)) return text
  if (system === 'cmd') return `"${escapeQuotes(text)}"`
  if (system === 'powershell') return `'${escapeQuotes(text).replaceAll("'", "''")}'`
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Returns a path for a system: `~/x/y` is `%USERPROFILE%\x\y` on Windows. */
export function placeOf(file: string, system: System): string {
  if (!isWindows(system)) return file
  return file.replace(/^~\//, '%USERPROFILE%/').replaceAll('/', '\\')
}

const POSIX = /^[\w/.:@+-]+$/
const WINDOWS = /^[\w/\\.:+-]+$/

/** Words that need no quotes. */
const PLAIN: Record<System, RegExp> = { macos: POSIX, linux: POSIX, powershell: WINDOWS, cmd: WINDOWS }

/**
 * Escapes quotes for the parser of programs on Windows, which reads two backslashes before a quote as one. PowerShell
 * passes quotes unchanged to batch files such as `code`: about_Parsing, "Passing arguments that contain quotes".
 */
function escapeQuotes(text: string): string {
  return text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')
}
