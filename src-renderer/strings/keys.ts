import { counted, fileSize, number, plural } from './format.ts'

/** Profile, API Keys. */
export const keys = {
  intro:
    'A key lets an editor or a script search and save your bookmarks. Create one for each, so that you can revoke one without the others.',
  create: 'New key',
  form: {
    title: 'New key',
    first: 'Your first key',
    name: 'Name',
    nameText: 'Shown in the list of keys. Use one key for each editor: choose yours, or enter any name.',
    editor: 'Name it after an editor',
    nameMissing: 'A key needs a name.',
    owner: 'Owner',
    me: 'Me',
    ownerMe: 'Sees everything you have.',
    ownerOrganization: 'Sees that organization’s bookmarks and public ones, and saves into it.',
    expiry: 'Expires',
    expiryText: 'After that, the key stops working.',
    never: 'Never',
    days: (count: number) => (count === 365 ? 'After a year' : `After ${count} days`),
    readOnly: 'Read-only',
    readOnlyText: 'It can search, but not save.',
    tags: 'Tags',
    tagsText: 'Everything it saves gets these tags. Up to five.',
    submit: 'Create key'
  },
  made: {
    created: (name: string) => `The key “${name}” is ready`,
    rotated: (name: string) => `“${name}” has a new key`,
    rotatedText: 'The old key no longer works.',
    secret: 'the key',
    once: 'This is the only time it is shown in full.',
    stored: 'Stored in your keychain. You can copy it from there later.',
    'shown-once': 'Not stored, because no keychain is available. Copy it now: Earmark cannot show it again.',
    file: (path: string) => `Kept in ${path}, which your other programs can read.`,
    done: 'Done',
    leaveTitle: 'Leave without the key?',
    leaveText:
      'It is stored nowhere and was not copied. Once you leave, it cannot be shown again. You can create another key at any time.',
    leave: 'Leave it'
  },
  connect: {
    title: 'Connect an editor',
    titleOf: (name: string) => `Connect an editor with the key “${name}”`,
    editor: 'Editor',
    otherWays: 'Other ways',
    waysOf: (editor: string) => `How to connect ${editor}`,
    command: (editor: string) =>
      `Run this in a terminal to add Earmark to ${editor}’s configuration. Add --undo to revert it.`,
    commandNewKey: (editor: string) =>
      `Or run this in a terminal, and Earmark changes ${editor}’s configuration. Earmark has no copy of this key, ` +
      `so it uses a stored key named ${editor}, or creates another one with full access.`,
    byHand: 'Configure it yourself',
    install: (editor: string) => `Install in ${editor}`,
    placeholder: 'PUT_YOUR_KEY_HERE',
    missing: (placeholder: string) => `Paste the key above, or put it in place of ${placeholder} yourself.`,
    test: 'Test connection',
    testing: 'Testing …',
    paste: 'The key',
    pasteText:
      'Paste it to have it filled in below, and to test it. Earmark does not keep it, and uses it for nothing else.',
    pastedPart: 'This key is incomplete: a key is emk_ followed by 49 letters and digits.',
    pastedOther: (prefix: string) => `This is another key: the one you connect with begins with ${prefix}.`,
    works: 'It works',
    fails: 'It does not work yet',
    passed: 'Passed',
    failed: 'Failed'
  },
  firstCall: {
    waiting: (editor: string) =>
      `Waiting for the first call … Restart ${editor}, then ask it to search your bookmarks.`,
    reached: (client: string, time: string) => `${client} reached Earmark at ${time}. Waiting for its first call …`,
    refused: (client: string, why: string) => `${client} called and was refused: ${why}`,
    called: (client: string, time: string) => `Connected: ${client} called at ${time}.`,
    unknown: 'A program'
  },
  list: {
    title: 'Your keys',
    noneInUse: 'There are no active keys.',
    ended: (count: number) => `${number(count)} ended ${plural(count, { one: 'key', other: 'keys' })}`,
    prefix: 'Key',
    rights: 'Rights',
    readOnly: 'Read-only',
    may: (readOnly: boolean, organization?: string) =>
      `${readOnly ? 'Read' : 'Read and save'}${organization === undefined ? '' : ` in ${organization}`}`,
    created: 'Created',
    expires: 'Expires',
    never: 'Never',
    expired: 'Expired',
    revoked: 'Revoked',
    lastUsed: 'Last used',
    neverUsed: 'Never',
    by: (client: string) => `by ${client}`,
    today: 'Calls today',
    gives: 'Tags what it saves',
    connect: 'Connect',
    calls: 'Calls',
    copy: 'Copy from keychain',
    copyFile: 'Copy from file',
    rotate: 'Rotate',
    revoke: 'Revoke',
    of: (action: string, name: string) => `${action}: ${name}`,
    failed: 'The keys could not be read.'
  },
  rotate: {
    title: (name: string) => `Rotate “${name}”?`,
    text: 'It gets a new secret with the same rights. The old one is refused at once, so change it in every editor that uses it.'
  },
  revoke: {
    title: (name: string) => `Revoke “${name}”?`,
    text: 'Its next call is refused. You cannot restore it. What it saved stays.',
    done: (name: string) => `“${name}” is revoked.`
  },
  writeIn: {
    title: (editor: string) => `Connect ${editor}`,
    write: 'Save changes',
    undo: 'Restore the file',
    nothing: 'Nothing to change: it is configured already.',
    failed: 'The editors of this machine could not be read.',
    said: {
      try: (file: string) => `This would change in ${file}. A copy is kept.`,
      write: (file: string) => `Saved in ${file}. Restart the editor. It starts Earmark when it needs it.`,
      undo: (file: string) => `${file} is restored.`
    }
  },
  copySecret: {
    title: (name: string) => `Copy the key of “${name}”?`,
    text: 'Every program can read the clipboard, until you copy something else.',
    action: 'Copy',
    copied: 'The key is on the clipboard.',
    refused: 'The browser does not let this page use the clipboard.'
  },
  ledger: {
    title: (name: string) => `Calls of “${name}”`,
    none: 'This key has not been used yet.',
    gives: (tags: string[]) => `Everything it saves is tagged ${tags.map((tag) => `#${tag}`).join(' ')}.`,
    failed: 'The calls could not be read.',
    when: 'When',
    tool: 'Tool',
    client: 'Client',
    unknown: 'Unknown',
    results: 'Results',
    size: 'Size',
    anyTool: 'Any call',
    refused: (reason: string) => `Refused: ${reason}`,
    saved: 'Saved',
    inTrash: '(in the trash)',
    more: (count: number) => `and ${number(count)} more`,
    gone: (count: number) => `${number(count)} deleted permanently`,
    undo: (count: number) => `Undo ${number(count)}`,
    undoOf: (count: number, when: string) => `Undo ${number(count)}: move the bookmarks saved at ${when} to the trash`,
    undone: 'Undone',
    older: 'Older calls',
    toTrash: (undone: number, kept: number) =>
      `${counted(undone, { one: 'bookmark is', other: 'bookmarks are' })} in the trash.${kept > 0 ? ` ${number(kept)} changed since and stay.` : ''}`,
    bytes: fileSize
  }
}
