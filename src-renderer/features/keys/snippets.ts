/** The texts to paste into editors and terminals. */
import { t } from '@lingui/core/macro'

/** The facts that every text to paste is made of. */
export interface Connection {
  /** The endpoint's address, as `editorAddress` has it. */
  url: string
  /** The key's secret, or what stands in for it. */
  key: string
  keyId: string
  /** Whether the secret can be had from the keychain or a file later. */
  kept: boolean
  /** How a host starts our commands. */
  program: { command: string; args: string[] }
  /** The data folder, where it is not the platform's own. */
  ownFolder: string | null
  /** Where it is pasted. */
  system: System
}

/** One thing to paste, and where. */
export interface Step {
  say: string
  text: string
}

/** The variable with the key, for editors that keep it out of their file. */
export const VARIABLE = 'EARMARK_KEY'

/** A command that ends in a header with a variable: every user of a computer can see the arguments of a command. */
export function terminal({ system }: Connection, words: string[]): Step {
  return { say: t`Run in a terminal`, text: commandLine([...words, `x-api-key: \${${VARIABLE}}`], system) }
}

/** A server in the editor's own JSON file. */
export function file(place: string, entry: object, servers = 'mcpServers'): Step {
  return { say: t`Put into ${place}`, text: pretty({ [servers]: { earmark: entry } }) }
}

export function server(url: string, key: string): object {
  return { url, headers: { 'x-api-key': key } }
}

/** For hosts that start a program: the key from the keychain where it is kept there, else from the environment. */
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

/** The key in the environment of whatever the shell starts. */
export function variable({ key, system }: Connection): Step {
  if (isWindows(system))
    return { say: t`Run this in a terminal once, then restart the editor.`, text: `setx ${VARIABLE} "${key}"` }
  return {
    say: t`Set this in the shell you start the editor from. To keep it, add it to the shell’s startup file, such as ~/.zshrc or ~/.bashrc.`,
    text: `export ${VARIABLE}=${key}`
  }
}

/** The same for an editor that is mostly opened from the desktop, which on Windows alone sees what a shell has set. */
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

/** Where commands are typed: each quotes in its own way, and has its own place for what programs are told. */
export type System = 'macos' | 'linux' | 'powershell' | 'cmd'

/** Every one there is, as a person chooses among them. */
export const SYSTEMS: System[] = ['macos', 'linux', 'powershell', 'cmd']

/** The system a browser runs on, by what it says of itself. */
export function systemOf(userAgent: string): System {
  if (/Mac|iPhone|iPad/.test(userAgent)) return 'macos'
  return /Windows/.test(userAgent) ? 'powershell' : 'linux'
}

export function isWindows(system: System): boolean {
  return system === 'powershell' || system === 'cmd'
}

/** A command of these words as its shell reads it. */
export function commandLine(words: string[], system: System): string {
  const line = words.map((word) => quoted(word, system)).join(' ')
  // What begins with a quote is a text there, until it is called.
  return system === 'powershell' && line.startsWith("'") ? `& ${line}` : line
}

/** A text as one word of a command. */
function quoted(text: string, system: System): string {
  if (PLAIN[system].test(text)) return text
  if (system === 'cmd') return `"${escaped(text)}"`
  if (system === 'powershell') return `'${escaped(text).replaceAll("'", "''")}'`
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A file in the owner's folder as that system writes it; `~/` begins it where it lies there. */
export function placeOf(file: string, system: System): string {
  if (!isWindows(system)) return file
  return file.replace(/^~\//, '%USERPROFILE%/').replaceAll('/', '\\')
}

const POSIX = /^[\w/.:@+-]+$/
const WINDOWS = /^[\w/\\.:+-]+$/

/** Words that no shell reads in any other way. */
const PLAIN: Record<System, RegExp> = { macos: POSIX, linux: POSIX, powershell: WINDOWS, cmd: WINDOWS }

/**
 * As programs on Windows take their command line apart, with the backslashes before a quote doubled. PowerShell passes
 * quotes on as they are to what is a batch file, as `code` is: about_Parsing, "Passing arguments that contain quotes".
 */
function escaped(text: string): string {
  return text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')
}
