import { expect, test } from 'vitest'
import { blocksOfMarkdown, pageTextOf } from '../../src-main/markdown/blocks.ts'

const rendered = (markdown: string) =>
  blocksOfMarkdown(markdown, { marks: true })
    .map(({ text }) => text)
    .join('\n\n')

test.for([
  ['# One *two* `three`', 'One two three', '# One two three'],
  [
    'a [link](https://a.example/x "title"), [no](javascript:alert(1)), <https://b.example/>',
    'a link, no, https://b.example/',
    'a [link](https://a.example/x), no, https://b.example/'
  ],
  ['![picture](https://a.example/p.png)\n\nwords', 'words', 'words'],
  ['a <b>c</b> <!-- note --> d\n\n<script>alert(1)</script>\n\n[x]: https://a.example/', 'a c  d', 'a c  d'],
  ['[a][x]\n\n[x]: https://a.example/ "title"', 'a', '[a](https://a.example/)'],
  ['- a\n- b\n  - c', 'a\nb\nc', '- a\n- b\n  - c'],
  ['3. a\n\n   b\n4. c', 'a\nb\nc', '3. a\n   b\n4. c'],
  ['> said\n>\n> twice', 'said\n\ntwice', '> said\n> \n> twice'],
  ['```js\na *b*\n```', 'a *b*', '```js\na *b*\n```'],
  ['| a | b |\n| - | - |\n| c | [d](https://a.example/) |', 'a\tb\nc\td', 'a | b\nc | [d](https://a.example/)'],
  ['1 \\* 2 &lt; &auml; &#x20;3', '1 * 2 < ä  3', '1 * 2 < ä  3'],
  ['a\\\nb', 'a\nb', 'a\nb'],
  ['---', '', '']
] as const)('%j is searched as %j and given to models as %j', ([markdown, text, forModels]) => {
  expect(pageTextOf(markdown)).toEqual({ text, markdown })
  expect(rendered(markdown)).toBe(forModels)
})
