import { expect } from 'vitest'
import type { ImportedItem, ImportedRecord, ImportFormat } from '../../src-main/contract/import-format.ts'
import { formats } from '../../src-main/formats/all.ts'

/** Everything a format finds in these pieces of a file. */
export function read<Item extends ImportedItem>(format: ImportFormat<Item>, ...pieces: string[]): Item[] {
  const reader = format.reader()
  return [...pieces.flatMap((piece) => reader.write(piece)), ...reader.end()]
}

/** The bookmarks that a format finds in these pieces of a file. */
export function readBookmarks(format: ImportFormat<ImportedItem>, ...pieces: string[]): ImportedRecord[] {
  return read(format, ...pieces).filter((item) => 'url' in item)
}

/** Checks that a file is taken for this format, and gives the same whole and a character at a time. */
export function expectFormat<Item extends ImportedItem>(format: ImportFormat<Item>, file: string): Item[] {
  expect(formats.find((one) => one.recognises(file))?.id).toBe(format.id)
  const found = read(format, file)
  expect(read(format, ...file)).toEqual(found)
  return found
}
