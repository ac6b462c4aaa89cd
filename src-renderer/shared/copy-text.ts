import { common } from '../strings/common.ts'
import { writeClipboard } from './host.ts'
import { failed, told } from './notify.tsx'

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await writeClipboard(text)
    told(common.copiedText(text.length > 60 ? `${text.slice(0, 60)}…` : text))
  } catch {
    failed(new Error(common.notCopied))
  }
}
