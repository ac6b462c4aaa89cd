import { expect, onTestFinished, test } from 'vitest'
import { createPageReader } from '../../src-main/web/page-reader.ts'
import type { RawPage } from '../../src-main/web/read-html.ts'
import { WebFault } from '../../src-main/web/web-fault.ts'
import { pdfFile } from '../support/pdf-file.ts'

function raw(html: string): RawPage {
  const url = 'https://a.example/'
  return { bytes: new TextEncoder().encode(html), charset: 'utf-8', contentType: 'text/html', asked: url, url }
}

function reader(patience?: number) {
  const made = createPageReader(patience)
  onTestFinished(() => made.close())
  return made
}

test('a page that takes too long is given up, and those behind it are read', async () => {
  // No page is read in no time at all.
  const { read } = reader(0)
  await expect(read(raw('<title>One</title>'))).rejects.toThrow(WebFault)
  const patient = reader()
  const all = await Promise.all(['One', 'Two', 'Three'].map((title) => patient.read(raw(`<title>${title}</title>`))))
  expect(all).toMatchObject(['One', 'Two', 'Three'].map((title) => ({ details: { title } })))
})

test('a page the thread dies of is one that cannot be read; the next one is', async () => {
  const { read } = reader()
  const impossible = { ...raw(''), url: 'no address', asked: 'none' }
  await expect(read(impossible)).rejects.toMatchObject({ fault: 'unreadable' })
  expect(await read(raw('<title>Next</title>'))).toMatchObject({ details: { title: 'Next' } })
})

test('a reader that was closed takes a page up again', async () => {
  const { read, close } = reader()
  await read(raw('<title>One</title>'))
  await close()
  expect(await read(raw('<title>Two</title>'))).toMatchObject({ details: { title: 'Two' } })
})

/** @returns the most memory this process took beside what it had, in bytes, until the work was done */
async function grownBy(work: Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 5)
  await work.finally(() => clearInterval(timer))
  return most - before
}

test('a PDF of a few kilobytes that unpack to half a gigabyte takes no such memory', async () => {
  const { read } = reader()
  await read(raw(''))
  const bytes = pdfFile([['A heron stood by the water.']], 'Herons', 500)
  expect(bytes.length).toBeLessThan(10_000)
  const work = read({ ...raw(''), bytes, contentType: 'application/pdf' })
  expect(await grownBy(work)).toBeLessThan(200 * 1_048_576)
  expect(await work).toMatchObject({ details: { title: 'Herons' } })
})
