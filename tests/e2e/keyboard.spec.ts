import { tabTo } from '../support/accessible.ts'
import { expect, test } from '../support/playwright.ts'

test('a field without a border shows the focus by a ring', async ({ page, service }) => {
  await service.open(page)
  const order = page.getByRole('combobox', { name: 'Order' })
  await tabTo(page, order)
  await expect(order).toHaveCSS('outline-style', 'solid')
})
