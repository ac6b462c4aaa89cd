import { MARKED_MS } from '../../src-renderer/features/bookmarks/list/just-saved.ts'
import { expect, listOf, test } from '../support/playwright.ts'

test('the mark of what an agent saved goes by itself after some seconds', async ({ page, service }) => {
  await service.open(page)
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await service.insert('https://agent.example/1')
  const mark = listOf(page).getByText(/^by \w/)
  await expect(mark).toBeVisible()
  const takes = await mark.evaluate((element) => {
    const [animation] = element.getAnimations()
    animation?.finish()
    return animation?.effect?.getComputedTiming().endTime
  })
  expect(takes).toBe(MARKED_MS)
  await expect(mark).toBeHidden()
})
