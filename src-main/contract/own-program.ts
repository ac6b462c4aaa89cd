/** This very program, as another program starts its commands. Both are paths that exist. */
export interface OwnProgram {
  command: string
  /** The arguments before a command's name. */
  args: string[]
  /** It is the installed app, with a window at hand, and no folder of sources around it. */
  packaged: boolean
}
