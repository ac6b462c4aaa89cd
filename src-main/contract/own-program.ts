/** How other programs start Earmark's commands. All paths exist. */
export interface OwnProgram {
  command: string
  /** Arguments before the command's name. */
  args: string[]
  /** True for the installed app, which has a window and no source folder. */
  packaged: boolean
}
