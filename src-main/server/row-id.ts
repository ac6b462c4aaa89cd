/** Returns the whole number that a part of a path is, in no other form than `12` or `-12`; `undefined` where it is none. */
export function rowIdIn(text: string): number | undefined {
  const id = Number(text)
  return Number.isSafeInteger(id) && String(id) === text ? id : undefined
}
