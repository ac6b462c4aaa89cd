import { Problem, type ProblemCode } from '../contract/problem.ts'
import { LibraryLost, lossOf } from '../host/library-lost.ts'

/** The choices a person has. `other-port` changes the port in settings, and so only when it is chosen. */
export type Way = 'retry' | 'other-port' | 'restore' | 'start-empty' | 'show-folder' | 'quit'

export interface StartProblem {
  message: string
  detail: string
  ways: { way: Way; label: string }[]
}

const LABELS: Record<Way, string> = {
  retry: 'Try Again',
  'other-port': 'Use Another Port',
  restore: 'Restore Backup',
  'start-empty': 'Start Empty…',
  'show-folder': 'Show Data Folder',
  quit: 'Quit'
}

/** Returns the message for a person when Earmark cannot start, and their choices. */
export function startProblem(error: unknown): StartProblem {
  const { code, message: detail } =
    error instanceof Problem
      ? error
      : { code: undefined, message: 'This should not have happened. earmark.log in the data folder says more.' }
  const { message, ways } = (code && KNOWN[code]) ?? { message: 'Earmark could not start', ways: ['retry', 'quit'] }
  if (error instanceof LibraryLost) return lostLibrary(message, error)
  const folder = code === undefined ? (['show-folder'] as const) : []
  return { message, detail, ways: [...folder, ...ways].map((way) => ({ way, label: LABELS[way] })) }
}

/** Nothing takes its place before a person says so. */
function lostLibrary(message: string, { message: reason, recovery }: LibraryLost): StartProblem {
  const ways: Way[] = [
    ...(recovery.backup ? (['restore'] as const) : []),
    'start-empty',
    'show-folder',
    'retry',
    'quit'
  ]
  return {
    message,
    detail: `${reason} ${lossOf(recovery)}`,
    ways: ways.map((way) => ({ way, label: LABELS[way] }))
  }
}

const KNOWN: Partial<Record<ProblemCode, { message: string; ways: Way[] }>> = {
  'port-taken': { message: 'Another program uses Earmark’s port', ways: ['retry', 'other-port', 'quit'] },
  'store-too-old': { message: 'An early version of Earmark wrote this library', ways: ['show-folder', 'quit'] },
  'store-too-new': { message: 'This library needs a newer Earmark', ways: ['show-folder', 'quit'] },
  'library-missing': { message: 'The library is missing', ways: ['show-folder', 'retry', 'quit'] },
  'library-damaged': { message: 'The library is damaged', ways: ['show-folder', 'retry', 'quit'] },
  'not-a-library': { message: 'This file is not an Earmark library', ways: ['show-folder', 'quit'] },
  'library-in-use': { message: 'Earmark is running already', ways: ['retry', 'quit'] },
  'data-folder-unusable': { message: 'The data folder cannot be used', ways: ['retry', 'quit'] },
  'disk-full': { message: 'The disk is full', ways: ['retry', 'show-folder', 'quit'] }
}
