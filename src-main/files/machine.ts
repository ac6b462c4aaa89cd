import { homedir } from 'node:os'

/** Facts by which the places of other programs' files are found. */
export interface Machine {
  platform: NodeJS.Platform
  home: string
  env: NodeJS.ProcessEnv
}

export function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), env: process.env }
}
