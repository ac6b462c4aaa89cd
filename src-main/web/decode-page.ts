import sniffEncoding from 'html-encoding-sniffer'

/** How far into a page its `<meta charset>` is looked for, in bytes. */
const PRESCAN = 4096

/**
 * A page's characters: by its byte order mark, the Content-Type header or its `<meta charset>`, in this order, as
 * browsers do. A page that says nothing is UTF-8 where it can be, else windows-1252.
 */
export function decodePage(bytes: Uint8Array, charset: string | undefined, xml = false): string {
  const encoding = sniffEncoding(bytes, {
    transportLayerEncodingLabel: charset,
    ...(xml ? { xml } : { maxPrescanBytes: PRESCAN }),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252'
  })
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // An encoding that the standard names and this runtime lacks.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The last character may have been cut in two. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
