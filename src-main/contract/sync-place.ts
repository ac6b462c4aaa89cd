/** Where machines that synchronize exchange their files. */
export interface SyncPlace {
  /** The full path of a folder, or the http or https address of one on a WebDAV server, with the user name in it. */
  folder: string
  /** Of the user of the server. */
  password?: string | undefined
}

/** Returns whether a place's folder is one on a WebDAV server. */
export function isOnServer(folder: string): boolean {
  return /^https?:/i.test(folder)
}
