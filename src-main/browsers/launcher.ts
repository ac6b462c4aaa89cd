import type { OwnProgram } from '../contract/own-program.ts'

/**
 * A program that starts `earmark native-host`: browsers start a file, and give it arguments of their own.
 *
 * @param ownFolder the data folder, where it is not the platform's own
 */
export function launcherFor(
  { command, args }: OwnProgram,
  ownFolder: string | undefined,
  platform: NodeJS.Platform
): string {
  const place = ownFolder === undefined ? [] : ['--data', ownFolder]
  const words = [command, ...args, 'native-host', ...place]
  if (platform === 'win32') return `@echo off\r\n${words.map(forBatch).join(' ')} %*\r\n`
  return `#!/bin/sh\nexec ${words.map(forShell).join(' ')} "$@"\n`
}

function forShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** In a batch file a percent sign stands for itself only when it is doubled; a path has no quotes there. */
function forBatch(word: string): string {
  return /^[\w/.:\\-]+$/.test(word) ? word : `"${word.replaceAll('%', '%%')}"`
}
