import { common } from '../strings/common.ts'
import { writeClipboard } from './host.ts'
import { notify, notifyError } from './notify.tsx'

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await writeClipboard(text)
    notify(common.copiedText(text.length > 60 ? `${text.slice(0, 60)}…` : text))
  } catch {
    notifyError(new Error(common.notCopied))
  }
}
