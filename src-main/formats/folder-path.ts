import { LIMITS } from '../contract/bookmark.ts'

/** A path longer than this says nothing as a tag. Deeper folders keep their outer path. */
export const DEEPEST = 16

interface Path {
  text: string
  depth: number
}

/** Where in nested folders a reader is. Lists nest as deep as a file's writer likes; one that adds nothing is counted. */
export class FolderPath {
  /** Outermost first, each with how many lists in a row it is the path of. */
  readonly #paths: { path: Path; lists: number }[] = []

  /** The names of the folders around, with a slash between; empty outside of all. */
  get text(): string {
    return this.#paths.at(-1)?.path.text ?? ''
  }

  /** @param folder its name; empty for a list that belongs to no folder */
  enter(folder: string): void {
    const around = this.#paths.at(-1)
    const path = within(around?.path ?? OUTSIDE, folder)
    if (around?.path === path) around.lists += 1
    else this.#paths.push({ path, lists: 1 })
  }

  leave(): void {
    const last = this.#paths.at(-1)
    if (!last) return
    last.lists -= 1
    if (last.lists === 0) this.#paths.pop()
  }
}

const OUTSIDE: Path = { text: '', depth: 0 }

function within(around: Path, folder: string): Path {
  if (folder === '' || around.depth === DEEPEST) return around
  return { text: around.text === '' ? folder : `${around.text}/${folder}`, depth: around.depth + 1 }
}

/** A folder's name as part of a path: a slash in it would read as two folders. */
export function folderName(text: string): string {
  return text.slice(0, LIMITS.title).replaceAll('/', '-')
}
