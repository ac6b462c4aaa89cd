import { expect, test } from 'vitest'
import { pause } from '../../src-renderer/shared/pause.ts'

test('a pause ends by itself, or at once when nobody waits any more', async () => {
  await pause(1, new AbortController().signal)
  const leaving = new AbortController()
  const paused = pause(60_000, leaving.signal)
  leaving.abort()
  await expect(paused).rejects.toMatchObject({ name: 'AbortError' })
})
