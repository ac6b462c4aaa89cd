import { storeOf } from '../../../shared/store.ts'

/** How texts are shown here. */
export interface ReadingLook {
  width: (typeof WIDTHS)[number]
  size: (typeof SIZES)[number]
  letters: (typeof LETTERS)[number]
}

export const WIDTHS = ['narrow', 'medium', 'wide'] as const
export const LETTERS = ['sans', 'serif'] as const
/** In pixels. */
const SIZES = [15, 17, 19, 21, 24, 28] as const

const KEY = 'earmark-reading'
const USUAL: ReadingLook = { width: 'medium', size: 19, letters: 'serif' }

/** Kept on this machine, by the browser. */
export const readingLook = storeOf(readLook(kept()))

export function changeLook(change: Partial<ReadingLook>): void {
  const look = { ...readingLook.get(), ...change }
  readingLook.set(look)
  try {
    localStorage.setItem(KEY, JSON.stringify(look))
  } catch {
    // It holds until the page is left.
  }
}

/** Reads the stored look; values that cannot be understood get their defaults. */
export function readLook(text: string | null): ReadingLook {
  const { width, size, letters } = parsed(text)
  return {
    width: WIDTHS.find((one) => one === width) ?? USUAL.width,
    size: SIZES.find((one) => one === size) ?? USUAL.size,
    letters: LETTERS.find((one) => one === letters) ?? USUAL.letters
  }
}

/** The next size, or the same where there is none. */
export function otherSize(size: ReadingLook['size'], step: 1 | -1): ReadingLook['size'] {
  return SIZES[SIZES.indexOf(size) + step] ?? size
}

function parsed(text: string | null): Partial<Record<keyof ReadingLook, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
