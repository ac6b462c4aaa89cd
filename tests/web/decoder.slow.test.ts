import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { RawPage } from '../../src-main/web/read-html.ts'
import { interlacedPng, PDFS, pdfFile, SVGS } from '../support/hostile-files.ts'
import { picture } from '../support/pictures.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testDecoder } from '../support/test-web.ts'

const ROOM = { width: 64, height: 64 }

function raw(content: string | Uint8Array<ArrayBuffer>, contentType = 'text/html'): RawPage {
  const url = 'https://a.example/'
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { bytes, charset: 'utf-8', contentType, requested: url, url }
}

const herons = raw(pdfFile([['A heron stood by the water.']], 'Herons'), 'application/pdf')

test('requests are answered in order', async () => {
  const { readPage, shrinkPicture, inspect, colorsOf } = testDecoder()
  const tomato = await picture('tomato')
  const answers = [
    readPage(raw('<title>One</title>')),
    shrinkPicture(tomato, ROOM, false),
    readPage(herons),
    inspect(tomato),
    colorsOf(tomato)
  ]
  expect(await Promise.all(answers)).toMatchObject([
    { details: { title: 'One' } },
    expect.any(Uint8Array),
    { details: { title: 'Herons', text: 'A heron stood by the water.' } },
    { type: 'image/png', width: 24, height: 24 },
    { colors: [{ share: 1 }], ratio: 1 }
  ])
})

// The patience also holds for the next page, which starts a process: on a busy machine that takes seconds.
describe('hostile bytes end only the decoder’s process', () => {
  test.for(Object.entries(SVGS))('an SVG with %s', async ([, bytes]) => {
    const decoder = testDecoder({ patience: 6000 })
    expect(await decoder.shrinkPicture(bytes, ROOM, true)).toBeNull()
    expect(await decoder.readPage(raw('<title>Next</title>'))).toMatchObject({ details: { title: 'Next' } })
  })

  test.for(Object.entries(PDFS))('a PDF with %s', async ([, bytes]) => {
    const decoder = testDecoder({ patience: 15_000 })
    // Some can be read; none may do more than fail.
    await decoder
      .readPage(raw(bytes, 'application/pdf'))
      .catch((error) => expect(error).toMatchObject({ fault: 'unreadable' }))
    expect(await decoder.readPage(herons)).toMatchObject({ details: { title: 'Herons' } })
  })
})

test('an SVG is drawn only on request', async () => {
  const { shrinkPicture, inspect } = testDecoder()
  const drawing = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  expect(await shrinkPicture(drawing, ROOM, true)).not.toBeNull()
  expect(await shrinkPicture(drawing, ROOM, false)).toBeNull()
  expect(await inspect(drawing)).toEqual({ fault: 'format' })
})

test('bytes that ended the process twice are not tried again, even after a restart', async () => {
  const folder = tempFolder()
  const slow = SVGS['a filter that takes minutes'] ?? new Uint8Array()
  const decode = (patience: number) => testDecoder({ folder, patience }).shrinkPicture(slow, ROOM, true)
  await decode(300)
  const [note = ''] = readdirSync(folder)
  expect(readFileSync(`${folder}/${note}`, 'utf8')).toBe('.')
  await decode(300)
  const begun = performance.now()
  expect(await decode(60_000)).toBeNull()
  expect(performance.now() - begun).toBeLessThan(5000)
})

test('an attempt is forgotten when it succeeds, or the decoder is closed', async () => {
  const folder = tempFolder()
  const decoder = testDecoder({ folder })
  await decoder.readPage(herons)
  expect(readdirSync(folder)).toEqual([])
  const slow = decoder.shrinkPicture(SVGS['a filter that takes minutes'] ?? new Uint8Array(), ROOM, true)
  await expect.poll(() => readdirSync(folder)).toHaveLength(1)
  await decoder.close()
  expect(await slow).toBeNull()
  expect(readdirSync(folder)).toEqual([])
})

test('a page that throws in the parser is unreadable, and the next page is read', async () => {
  const { readPage } = testDecoder()
  await expect(readPage({ ...raw(''), url: 'no address', requested: 'none' })).rejects.toMatchObject({
    fault: 'unreadable'
  })
  expect(await readPage(raw('<title>Next</title>'))).toMatchObject({ details: { title: 'Next' } })
})

test('an interlaced picture of 40 million pixels is drawn', async () => {
  expect(await testDecoder().shrinkPicture(await interlacedPng(), ROOM, false)).not.toBeNull()
})
