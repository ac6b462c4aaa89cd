import { useState } from 'react'

/** Something to type or paste elsewhere, with a button that copies it. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)

  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }

  return (
    <div className="command">
      <code>{text}</code>
      <button type="button" aria-label={`Copy ${text}`} onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
