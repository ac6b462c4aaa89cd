import { t } from '@lingui/core/macro'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { writeClipboard } from '../lib/host.ts'
import { notify, notifyError } from './notify.tsx'

/** Copies a text and shows a notice. @returns whether that worked */
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
 * Returns a function that copies a text, and whether the text was just copied.
 *
 * @param resetMs how long `copied` stays true, in ms
 */
export function useCopied(text: string, resetMs: number, onCopied?: () => void) {
  const [copied, setCopied] = useState(false)
  const { start, clear } = useTimeout(() => setCopied(false), resetMs)
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
