/** What is said about connecting each editor. */
export const editors = {
  terminal: 'Run in a terminal',
  orTerminal: 'Or run in a terminal',
  put: (file: string) => `Put into ${file}`,
  orPut: (file: string) => `Or put into ${file}`,
  asksForKey: (file: string) => `Or put into ${file} of a project; VS Code then asks for the key`,
  variable: 'Set this in the environment the editor starts in',
  secret: 'Add this to your Continue secrets',
  fromVariable: 'Or, with the key in the environment as EARMARK_KEY',
  startsProgram: 'It starts a program instead of calling an address.',
  keyFromKeychain: 'The key comes from your keychain; none stands in the file.'
}
