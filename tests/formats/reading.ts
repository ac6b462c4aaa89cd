import { expect } from 'vitest'
import type { ImportedItem, ImportedRecord, ImportFormat } from '../../src-main/contract/import-format.ts'
import { findFormat } from '../../src-main/formats/formats.ts'

/** The items that a format reads in a file. */
export function read<Item extends ImportedItem>(format: ImportFormat<Item>, file: string): Item[] {
  return [...format.read(file)]
}

/** The bookmarks that a format reads in a file. */
export function readBookmarks(format: ImportFormat<ImportedItem>, file: string): ImportedRecord[] {
  return read(format, file).filter((item) => 'url' in item)
}

/** Checks that a file is recognized as this format, and returns its items. */
export function expectFormat<Item extends ImportedItem>(format: ImportFormat<Item>, file: string): Item[] {
  expect(findFormat(file)?.id).toBe(format.id)
  return read(format, file)
}
