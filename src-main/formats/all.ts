import type { Container, ImportFormat } from '../contract/import-format.ts'
import type { ExportFormat } from '../contract/library-export.ts'
import type { Formats } from '../contract/ports.ts'
import { chromeJson, firefoxJson } from './browser-json.ts'
import { mozLz4, zip } from './containers.ts'
import { earmarkCsv, instapaperCsv, otherCsv, pocketCsv, raindropCsv } from './csv-formats.ts'
import { earmarkJsonl, writeJsonl } from './earmark-jsonl.ts'
import { textOfHtml } from './html-tags.ts'
import { netscapeHtml } from './netscape-html.ts'
import { pinboardJson, pinboardXml } from './pinboard.ts'
import { readLaterHtml } from './read-later-html.ts'
import { karakeepJson, linkwardenJson, omnivoreJson, pocketHighlights, wallabagJson } from './service-json.ts'
import { createFileDecoder } from './text-decoder.ts'
import { oneTab, unnamedTable, urlList } from './url-lists.ts'
import { writeCsv } from './write-csv.ts'
import { writeHtml } from './write-html.ts'

/** Every text format, those with the most evidence first: a page saved in one of the others may hold HTML. */
export const formats: ImportFormat[] = [
  earmarkJsonl,
  chromeJson,
  firefoxJson,
  karakeepJson,
  linkwardenJson,
  wallabagJson,
  omnivoreJson,
  pocketHighlights,
  pinboardJson,
  pinboardXml,
  readLaterHtml,
  netscapeHtml,
  earmarkCsv,
  raindropCsv,
  pocketCsv,
  instapaperCsv,
  otherCsv,
  unnamedTable,
  oneTab,
  urlList
]

export const containers: Container[] = [mozLz4, zip]

export const exportFormats: ExportFormat[] = [writeJsonl, writeHtml, writeCsv]

export const texts: Formats['texts'] = { createDecoder: createFileDecoder, ofHtml: textOfHtml }
