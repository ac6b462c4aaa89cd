/** Names of tags and organizations that differ only in case, or in how an accent is encoded, are one name. */
export function foldName(name: string): string {
  return name.toLowerCase().normalize('NFC')
}
