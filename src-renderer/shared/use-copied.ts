import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { common } from '../strings/common.ts'
import { writeClipboard } from './host.ts'
import { notifyError } from './notify.tsx'

/**
 * Returns the function that copies a text, and whether it just did.
 *
 * @param shownFor how long that is shown, in milliseconds
 */
export function useCopied(text: string, shownFor: number, onCopied?: () => void) {
  const [copied, setCopied] = useState(false)
  const { start, clear } = useTimeout(() => setCopied(false), shownFor)
  async function copy(): Promise<void> {
    try {
      await writeClipboard(text)
      setCopied(true)
      onCopied?.()
      clear()
      start()
    } catch {
      notifyError(new Error(common.notCopied))
    }
  }
  return { copied, copy }
}
