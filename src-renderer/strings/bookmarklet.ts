/** The bookmark that captures from a browser. */
export const bookmarklet = {
  title: 'Capture from a browser',
  text:
    'Drag this link to your browser’s bookmarks bar. On any page, click it to open quick capture with the page’s address, ' +
    'title and your selection. Press Enter to save. It needs the installed desktop app; the browser asks once whether it ' +
    'may open it.',
  name: 'Save to Earmark',
  drag: 'Drag this link to your bookmarks bar.',
  copy: 'If you can’t drag it, create a bookmark in the browser and paste this as its address:',
  code: 'Bookmarklet'
}
