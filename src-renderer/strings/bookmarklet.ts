/** The bookmark that captures from a browser. */
export const bookmarklet = {
  title: 'Capture from a browser',
  text:
    'Drag this link to your browser’s bookmarks bar. On any page, a click on it opens quick capture with the page’s address, ' +
    'its title and what you selected, and Enter saves. It needs the installed desktop app: the browser asks once whether it ' +
    'may open it.',
  name: 'Save to Earmark',
  drag: 'Drag this link to your bookmarks bar.',
  copy: 'Where it can’t be dragged, make a bookmark in the browser and paste this as its address:',
  code: 'Bookmarklet'
}
