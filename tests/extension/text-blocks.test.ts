import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { textBlocks } from '../../src-extension/page/text-blocks.ts'

const blocks = (html: string) => textBlocks(parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body)

test.each([
  ['<h2>One</h2><p>Two <b>three</b>\n four</p>five', '## One\n\nTwo three four\n\nfive'],
  ['<ul><li>a</li><li>b<br>c</li></ul>', 'a\n\nb\nc'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
  ['<p>a<script>b</script><style>c</style><template>d</template></p><!-- e -->', 'a'],
  ['<div><div> </div></div>', ''],
  ['<p>&lt;b&gt; &amp;</p>', '<b> &']
])('%s reads %j', (html, text) => {
  expect(blocks(html)).toBe(text)
})
