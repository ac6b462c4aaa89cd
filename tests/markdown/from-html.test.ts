import { expect, test } from 'vitest'
import { MAX_PAGE_TEXT } from '../../src-main/contract/page-details.ts'
import { markdownOfHtml } from '../../src-main/markdown/from-html.ts'

const markdown = (html: string) => markdownOfHtml(html, { base: 'https://a.example/deep/page' })

test.for([
  ['headings and paragraphs', '<h2>One</h2><p>Two <b>three</b>\n four</p>five', '## One\n\nTwo **three** four\n\nfive'],
  [
    'lists, with all blocks of an item',
    `<ol start=3><li>c<ul><li>in<li>side</ul></li><li><p>d</p><pre>code</pre></li></ol><p>End</p>`,
    '3. c\n\n   - in\n   - side\n\n4. d\n\n   ```\n   code\n   ```\n\nEnd'
  ],
  ['quotes', '<blockquote><h3>Said</h3><p>b</p></blockquote>', '> ### Said\n>\n> b'],
  ['code with its lines', '<pre>\n  a\n\n  b\n</pre>', '```\n  a\n\n  b\n```'],
  [
    'tables below their captions',
    '<table><caption>Ages</caption><tr><th>Name<th> Age<tr><td>Ann|e<td>7</table>',
    'Ages\n\n| Name | Age |\n| - | - |\n| Ann\\|e | 7 |'
  ],
  [
    'cells in one line each',
    '<table><tr><td><p>a</p><p>b<br>c</p></td><td><ul> <li>d</li> <li>e <b>f</b></li> </ul></td></tr></table>',
    '| | |\n| - | - |\n| a b c | d; e **f** |'
  ],
  [
    'tables that only lay out the page as blocks',
    '<table><tr><td>left<td><h2>Head</h2><p>words</table><table><tr><td>placed</table>',
    'left\n\n## Head\n\nwords\n\nplaced'
  ],
  [
    'cells without a row as a row',
    '<table><thead><th>Name</th><th>Age</th></thead><tr><td>Ann</td><td>7</td></tr></table>',
    '| Name | Age |\n| - | - |\n| Ann | 7 |'
  ],
  [
    'preformatted tables and headings as tables and headings',
    '<pre><h3>Ages</h3><table><tr><td>Ann</td><td>7</td></tr></table></pre>',
    '### Ages\n\n| | |\n| - | - |\n| Ann | 7 |'
  ],
  ['cells without a table as blocks', '<div><td><p>a</p><p>b</p></td></div>', 'a\n\nb'],
  ['blocks in letters as blocks', '<b><h2>A</h2><p>b</p></b>', '## A\n\nb'],
  [
    'links to the web, also around blocks',
    `<h2>See <a href="/x">this  one</a></h2><p><a href="javascript:alert(1)">no</a> <a href="#part">part</a>
      <a href="http://[">bad</a></p><a href="two"><p>first</p><p>second</p></a>`,
    '## See [this one](https://a.example/x)\n\nno part bad\n\n[first](https://a.example/deep/two)\n\n[second](https://a.example/deep/two)'
  ],
  [
    'pictures that are no icons',
    `<img src="../a.png" alt=" A\u202e  heron "><img src=b.png width=1><img src=c.png height=32px><img src="data:image/png,x">`,
    '![A heron](https://a.example/a.png)'
  ],
  [
    'nothing that is hidden',
    '<p>a<script>b</script><style>c</style></p><p hidden>d</p><p style="display: none">e</p><!-- f --><nav>g</nav>',
    'a'
  ],
  [
    'characters that would be marks as they are',
    '<p>1. *a* _b_ [c](d) &lt;b&gt; # `e`',
    '1\\. \\*a\\* \\_b\\_ \\[c]\\(d) \\<b> # \\`e\\`'
  ],
  ['deleted words without a mark', '<p>a <del>b</del>', 'a b'],
  ['nothing of an empty page', ' <p> </p>', '']
] as const)('Markdown has %s', ([, html, expected]) => {
  expect(markdown(html)).toBe(expected)
})

test('a long text is cut, as are its pictures and the addresses of its links', () => {
  const long = markdown(`${'<p><a href="/x">word</a> and words</p>'.repeat(5000)}${'<img src=a.png>'.repeat(50)}`)
  expect(long.replace(/\]\([^)]*\)|[[\n]/g, '').length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  expect(long.length).toBeLessThanOrEqual(3 * MAX_PAGE_TEXT)
  expect(markdown(`${'<img src=a.png width=50%>'.repeat(200)}`).match(/!\[/g)).toHaveLength(20)
})

test.for([
  ['<div>', 20_000],
  ['<b>', 3000],
  ['<blockquote>', 3000],
  ['<ul><li>', 3000],
  ['<table><tr><td>', 2000]
] as const)('the words in %s nested %i times are kept', ([tags, times]) => {
  expect(markdown(`${tags.repeat(times)}words`)).toContain('words')
})
