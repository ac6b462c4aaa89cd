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
