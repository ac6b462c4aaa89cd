/** Texts about connecting each editor. */
export const editors = {
  terminal: 'Run in a terminal',
  terminalAsks: 'Run in a terminal; VS Code then asks for the key',
  put: (file: string) => `Put into ${file}`,
  orPut: (file: string) => `Or add this to ${file}`,
  asksForKey: (file: string) => `Or add this to a project’s ${file}; VS Code then asks for the key`,
  variable: {
    shell:
      'Set this in the shell you start the editor from. To keep it, add it to the shell’s startup file, such as ~/.zshrc or ' +
      '~/.bashrc.',
    orShell:
      'If you start the editor from a terminal, set the variable in that terminal. If Earmark connects the editor for you, you do ' +
      'not need to set it.',
    windows: 'Run this in a terminal once, then restart the editor.',
    dock:
      'Run this in a terminal, then restart the editor. An editor that you start from the Dock does not get the variables of a shell. This lasts ' +
      'until you log out. While the command runs, other users of this computer can see the key.',
    menu:
      'Add this to ~/.config/environment.d/earmark.conf and log in again. An editor that you start from a menu ' +
      'does not get the variables of a shell.'
  },
  systems: 'Commands for',
  system: { macos: 'macOS', linux: 'Linux', powershell: 'PowerShell', cmd: 'Command Prompt' },
  secret: 'Add this to your Continue secrets',
  fromVariable: 'Or, with the key in the environment as EARMARK_KEY',
  startsProgram: 'It starts a program instead of calling an address.',
  startsOrCalls: 'It starts a program, which starts Earmark if it is not running, or it calls Earmark’s address.',
  orAddress: 'Or by address',
  keyFromKeychain: 'The key stays in your keychain and is not in the file.'
}
