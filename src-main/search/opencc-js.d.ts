declare module 'opencc-js/dict/TSCharacters' {
  /** Entries with `|` between them. */
  const table: string
  export default table
}
