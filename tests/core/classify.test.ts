import { describe, expect, test } from 'vitest'
import { type ClipboardContents, classify } from '../../src-main/core/classify.ts'

function clip(contents: Partial<ClipboardContents>) {
  return classify({ text: '', html: '', picture: false, ...contents })
}

describe('a copied text is', () => {
  test.for([
    ['https://a.example/b?c=d#e', 'link', 'https://a.example/b?c=d#e'],
    ['  http://a.example\n', 'link', 'http://a.example'],
    ['example.com/page', 'link', 'https://example.com/page'],
    ['https://a.example/photo.JPG?size=2', 'image', 'https://a.example/photo.JPG?size=2'],
    ['#bada55', 'color', '#bada55'],
    ['#abc', 'color', '#abc'],
    ['rgb(1 2 3 / 50%)', 'color', 'rgb(1 2 3 / 50%)'],
    ['hsl(120deg 50% 50%)', 'color', 'hsl(120deg 50% 50%)'],
    ['oklch(70% 0.15 200)', 'color', 'oklch(70% 0.15 200)'],
    ['lab(50% 20 30)', 'color', 'lab(50% 20 30)'],
    ['color(display-p3 1 0 0)', 'color', 'color(display-p3 1 0 0)'],
    ['rebeccapurple', 'color', 'rebeccapurple'],
    ['notes.md', 'text', 'notes.md'],
    ['snow', 'text', 'snow'],
    ['see https://a.example', 'text', 'see https://a.example'],
    ['javascript:alert(1)', 'text', 'javascript:alert(1)'],
    ['https://', 'text', 'https://'],
    ['two\nlines', 'text', 'two\nlines']
  ] as const)('%j as a %s', ([text, type, found]) => {
    expect(clip({ text })).toEqual({ type, text: found })
  })
})

describe('a copied picture', () => {
  test('is named by the address its page gave with it', () => {
    const html = '<meta charset="utf-8"><img alt="x" src="https://a.example/p?a=1&amp;b=2"/>'
    expect(clip({ html, picture: true })).toEqual({ type: 'image', text: 'https://a.example/p?a=1&b=2' })
  })

  test.for([
    '',
    '<img src="data:image/png;base64,xx">',
    '<img src="javascript:alert(1)">',
    '<img src="https://a.example/1"><img src="https://a.example/2">'
  ])('has no address beside %j', (html) => {
    expect(clip({ html, picture: true })).toEqual({ type: 'image', text: '' })
  })

  test('beside a copied text is the text, as word processors copy both', () => {
    expect(clip({ text: 'A paragraph.', picture: true })).toEqual({ type: 'text', text: 'A paragraph.' })
  })
})

test('nothing, or nothing but space, is nothing to save', () => {
  expect(clip({})).toBeUndefined()
  expect(clip({ text: ' \n\t' })).toBeUndefined()
})
