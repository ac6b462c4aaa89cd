/** How another program starts this program's commands. */
export interface OwnProgram {
  /** A path that exists. */
  command: string
  /** The arguments before the name of a command. */
  args: string[]
  /** Whether it is the installed app, and not a checkout. */
  packaged: boolean
}
