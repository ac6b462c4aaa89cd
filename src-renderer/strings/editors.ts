/** Texts about connecting each editor. */
export const editors = {
  terminal: 'Run in a terminal',
  terminalAsks: 'Run in a terminal; VS Code then asks for the key',
  put: (file: string) => `Put into ${file}`,
  orPut: (file: string) => `Or add this to ${file}`,
  asksForKey: (file: string) => `Or add this to a project’s ${file}; VS Code then asks for the key`,
  variable: {
    shell:
      'Set this in the shell you start it from. To keep it, add it to what the shell runs first, such as ~/.zshrc or ' +
      '~/.bashrc.',
    orShell: 'Started from a terminal, it needs this there instead. What Earmark writes in needs neither.',
    windows: 'Run in a terminal once, then restart the editor: programs opened from then on see it.',
    dock:
      'Run in a terminal, then restart the editor. Opened from the Dock, it does not see what a shell exports; this lasts ' +
      'until you log out. While the command runs, other users of this computer can see the key.',
    menu:
      'Put into ~/.config/environment.d/earmark.conf and log in again. Opened from a menu, the editor does not see what a ' +
      'shell exports.'
  },
  systems: 'Commands for',
  system: { macos: 'macOS', linux: 'Linux', powershell: 'PowerShell', cmd: 'Command Prompt' },
  secret: 'Add this to your Continue secrets',
  fromVariable: 'Or, with the key in the environment as EARMARK_KEY',
  startsProgram: 'It starts a program instead of calling an address.',
  startsOrCalls:
    'It starts a program, which starts Earmark where it is not running, or calls Earmark’s address while it runs.',
  orAddress: 'Or the same, by address',
  keyFromKeychain: 'The key comes from your keychain; none stands in the file.'
}
