import { t } from '@lingui/core/macro'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { writeClipboard } from '../lib/host.ts'
import { notify, notifyError } from './notify.tsx'

/** Puts a text on the clipboard and says so. @returns whether that worked */
export async function copyText(text: string): Promise<boolean> {
  try {
    await writeClipboard(text)
    notify(t`Copied ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`)
    return true
  } catch {
    notifyError(new Error(t`The browser does not let this page use the clipboard.`))
    return false
  }
}

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
      notifyError(new Error(t`The browser does not let this page use the clipboard.`))
    }
  }
  return { copied, copy }
}
