import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { captureRequest } from '../../../../src-main/desktop/launch.ts'
import { BOOKMARKLET } from '../../../../src-renderer/features/settings/bookmarklet.ts'

/** Runs it as a browser does on a page, and gives where it leads. */
function click(page: { href: string; title: string; selected: string }): string {
  const location = { href: page.href }
  const script = decodeURIComponent(BOOKMARKLET.slice('javascript:'.length))
  const window = { location, document: { title: page.title }, getSelection: () => page.selected }
  runInNewContext(script, { ...window, encodeURIComponent, String })
  return location.href
}

test('the bookmarklet hands address, title and selection to capture, whatever they hold', () => {
  const page = { href: 'https://a.example/?a=1&b=%20#x', title: 'A & "B" = 50% ü', selected: 'Two\nlines + 日本' }
  expect(captureRequest(click(page))).toEqual({
    kind: 'capture',
    fields: { url: page.href, title: page.title, text: page.selected, tags: undefined }
  })
})

test('of a long selection it takes as much as a description holds, and never half a character', () => {
  const link = click({ href: 'https://a.example/', title: '', selected: `${'x'.repeat(2047)}😀` })
  expect(captureRequest(link)).toMatchObject({ fields: { text: 'x'.repeat(2047) } })
})
