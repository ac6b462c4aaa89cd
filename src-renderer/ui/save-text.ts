/** Saves a text as a file, where the browser keeps what it downloads. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then, and holds what it needs.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
