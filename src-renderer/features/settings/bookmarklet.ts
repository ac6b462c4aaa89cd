/** As much of a selection as a description holds, in UTF-16 code units. */
const MAX_SELECTION = 2048

/**
 * The code the bookmarklet runs on the page it is clicked on: it hands address, title and selection to quick capture.
 * The browser asks whether Earmark may be opened; nothing is saved before Enter.
 */
export const BOOKMARKLET =
  'javascript:' +
  encodeURI(
    '(()=>{' +
      'const e=encodeURIComponent,d=document,t=String(getSelection()).slice(0,' +
      `${MAX_SELECTION})` +
      ".replace(/[\\ud800-\\udbff]$/,'');" +
      "location.href='earmark://capture?url='+e(location.href)+'&title='+e(d.title)+'&text='+e(t)" +
      '})()'
  )
