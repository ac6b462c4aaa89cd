/** Keys, and what they do. `Mod` is Ctrl, or Command on a Mac. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  groups: [
    {
      name: 'Anywhere',
      keys: [
        { keys: ['/'], does: 'Search' },
        { keys: ['Mod', 'K'], does: 'Find a bookmark or a command' },
        { keys: ['N'], does: 'Add a bookmark; or just paste' },
        { keys: ['Mod', 'Z'], does: 'Undo the last change' },
        { keys: ['Mod', 'Shift', 'Z'], does: 'Redo' },
        { keys: ['Mod', 'B'], does: 'Hide or show the sidebar' },
        { keys: ['?'], does: 'Show these shortcuts' }
      ]
    },
    {
      name: 'Go to: G, then',
      keys: [
        { keys: ['A'], does: 'All bookmarks' },
        { keys: ['L'], does: 'Links' },
        { keys: ['I'], does: 'Images' },
        { keys: ['C'], does: 'Colors' },
        { keys: ['X'], does: 'Texts' },
        { keys: ['R'], does: 'Recently opened' },
        { keys: ['T'], does: 'Tags' },
        { keys: ['O'], does: 'Organizations' },
        { keys: ['D'], does: 'Trash' },
        { keys: ['K'], does: 'API keys' },
        { keys: ['S'], does: 'Settings' }
      ]
    },
    {
      name: 'In a list',
      keys: [
        { keys: ['↑', '↓'], does: 'Go to the previous or next bookmark; also K and J' },
        { keys: ['Enter'], does: 'Show and edit it' },
        { keys: ['O'], does: 'Open its page' },
        { keys: ['T'], does: 'Tag it, or all that is selected' },
        { keys: ['M'], does: 'Move it, or all that is selected' },
        { keys: ['X'], does: 'Select it; with Shift and arrows, a range' },
        { keys: ['Mod', 'A'], does: 'Select all' },
        { keys: ['F'], does: 'Add it to favorites, or remove it' },
        { keys: ['U'], does: 'Mark it as unread, or as read' },
        { keys: ['A'], does: 'Archive or unarchive' },
        { keys: ['C'], does: 'Copy its address, or all that is selected' },
        { keys: ['Delete'], does: 'Delete it, or all that is selected' },
        { keys: ['Esc'], does: 'Clear the selection, close the panel' }
      ]
    },
    {
      name: 'In the panel',
      keys: [
        { keys: ['Mod', 'Enter'], does: 'Save now; otherwise it is saved a moment later' },
        { keys: ['Esc'], does: 'Close' }
      ]
    },
    {
      name: 'In a text',
      keys: [
        { keys: ['Space'], does: 'Next page; with Shift, the previous one' },
        { keys: ['J', 'K'], does: 'Scroll a few lines down or up' },
        { keys: ['Mod', 'F'], does: 'Find in the text' },
        { keys: ['Esc'], does: 'Close' }
      ]
    }
  ]
}
