import { strToU8, zipSync } from 'fflate'

/** A file of an import format, and the number of its records. */
export interface BookmarkFile {
  name: string
  bytes: Uint8Array
  records: number
}

const HTML = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><H3>Work</H3>
<DL><p>
<DT><A HREF="https://html.example/?a=1&amp;b=2" ADD_DATE="1600000000" TAGS="one,two">A page &amp; more</A>
<DD>About it
</DL><p>
<DT><A HREF="javascript:alert(1)">Bookmarklet</A>
</DL><p>
`

const place = (index: number, uri: string) => ({ index, typeCode: 1, type: 'text/x-moz-place', title: 'A', uri })

const FIREFOX = JSON.stringify({
  guid: 'root________',
  typeCode: 2,
  root: 'placesRoot',
  children: [
    {
      root: 'bookmarksMenuFolder',
      children: [
        place(0, 'https://firefox.example/1'),
        { index: 1, title: 'f', typeCode: 2, children: [place(0, 'https://firefox.example/2')] }
      ]
    }
  ]
})

const POCKET = `title,url,time_added,cursor,tags,status
A page,https://pocket.example/1,1700000000,,one|two,unread
"B, quoted",https://pocket.example/2,1700000001,,,archive
`

const TEXTS: Record<string, { text: string; records: number }> = {
  'bookmarks.html': { text: HTML, records: 2 },
  Bookmarks: {
    text: JSON.stringify({
      roots: {
        bookmark_bar: {
          children: [
            { name: 'A', type: 'url', url: 'https://chrome.example/1', date_added: '13245678900123456' },
            { children: [{ name: 'B', type: 'url', url: 'https://chrome.example/2' }], name: 'f', type: 'folder' }
          ]
        }
      },
      version: 1
    }),
    records: 2
  },
  'bookmarks.json': { text: FIREFOX, records: 2 },
  'raindrop.csv': {
    text: 'id,title,note,excerpt,url,folder,tags,created\n1,"A\nB",n,e,https://raindrop.example/,F/G,"a, b",2024-05-01T10:00:00Z\n',
    records: 1
  },
  'part_000000.csv': { text: POCKET, records: 2 },
  'karakeep.json': {
    text: JSON.stringify({
      bookmarks: [
        {
          createdAt: 1700000000,
          title: 'A',
          tags: ['t'],
          lists: ['l'],
          content: { type: 'link', url: 'https://karakeep.example/' }
        },
        { createdAt: 1700000000, title: '', tags: [], content: { type: 'text', text: 'Words to keep' } },
        { createdAt: 1700000000, title: 'scan', tags: [], content: null }
      ],
      lists: [{ id: 'l', name: 'L', parentId: null }]
    }),
    records: 3
  },
  'linkwarden.json': {
    text: JSON.stringify({
      collections: [
        { id: 1, name: 'C', parentId: null, links: [{ name: 'A', url: 'https://linkwarden.example/', tags: [] }] }
      ]
    }),
    records: 1
  },
  'wallabag.json': {
    text: JSON.stringify([
      { is_archived: 0, tags: ['t'], title: 'A', url: 'https://wallabag.example/', content: '<p>x' }
    ]),
    records: 1
  },
  'metadata_0_to_1.json': {
    text: JSON.stringify([
      { title: 'A', url: 'https://omnivore.example/', state: 'Active', labels: ['t'], savedAt: '2024-05-01T10:00:00Z' }
    ]),
    records: 1
  },
  'instapaper.csv': {
    text: 'URL,Title,Selection,Folder,Timestamp\nhttps://instapaper.example/,A,Marked,Unread,1700000000\n',
    records: 1
  },
  'table.csv': { text: 'name;link;tags\nA;https://table.example/;x\nB;javascript:x;\n', records: 2 },
  'pinboard.json': {
    text: JSON.stringify([
      { href: 'https://pinboard.example/', description: 'A', extended: 'e', tags: 'a b', shared: 'no' }
    ]),
    records: 1
  },
  'pinboard.xml': {
    text: '<?xml version="1.0"?><posts>\n<post href="https://pinboard.example/x" description="A" tag="a b"/>\n</posts>',
    records: 1
  },
  'ril_export.html': {
    text: `<!DOCTYPE html><title>Pocket Export</title>\n<h1>Unread</h1>
<ul><li><a href="https://ril.example/1" time_added="1700000000" tags="a,b">A</a></li>
<li><a href="https://ril.example/2">B</a></li></ul>`,
    records: 2
  },
  'onetab.txt': { text: 'https://onetab.example/1 | A | B\n\nhttps://onetab.example/2\n', records: 2 },
  'urls.txt': { text: '# mine\nhttps://urls.example/1\nftp://urls.example/2\n', records: 2 }
}

/** A title in windows-1251, one character per byte. */
const CYRILLIC =
  '<DL><p>\n<DT><A HREF="https://cyrillic.example/">\xd0\xe5\xf6\xe5\xef\xf2\xfb \xe1\xee\xf0\xf9\xe0</A>\n</DL>'

function zipped(...names: string[]): Uint8Array {
  const files = names.map((name) => [name, strToU8(TEXTS[name]?.text ?? '')])
  return zipSync(Object.fromEntries(files))
}

export const bookmarkFiles: BookmarkFile[] = [
  ...Object.entries(TEXTS).map(([name, { text, records }]) => ({ name, bytes: strToU8(text), records })),
  { name: 'bookmarks.jsonlz4', bytes: mozLz4(strToU8(FIREFOX)), records: 2 },
  { name: 'windows-1251.html', bytes: new Uint8Array(Buffer.from(CYRILLIC, 'latin1')), records: 1 },
  { name: 'safari.zip', bytes: zipped('bookmarks.html'), records: 2 },
  { name: 'pocket.zip', bytes: zipped('part_000000.csv'), records: 2 },
  { name: 'omnivore.zip', bytes: zipped('metadata_0_to_1.json'), records: 1 }
]

/** Compresses like Firefox. It finds only some repetitions, which is enough to have both kinds of sequences. */
export function mozLz4(bytes: Uint8Array): Uint8Array {
  const out: number[] = [...strToU8('mozLz40\0'), ...new Uint8Array(new Uint32Array([bytes.length]).buffer)]
  let from = 0
  function sequence(end: number, offset: number, match: number): void {
    const literals = end - from
    out.push((Math.min(literals, 15) << 4) | (offset === 0 ? 0 : Math.min(match - 4, 15)))
    pushLength(literals)
    for (const byte of bytes.subarray(from, end)) out.push(byte)
    if (offset === 0) return
    out.push(offset & 255, offset >> 8)
    pushLength(match - 4)
    from = end + match
  }
  function pushLength(length: number): void {
    for (let rest = length - 15; rest >= 0; rest -= 255) out.push(Math.min(rest, 255))
  }
  const seen = new Map<string, number>()
  for (let at = 0; at + 12 < bytes.length; ) {
    const key = String(bytes.subarray(at, at + 4))
    const before = seen.get(key)
    seen.set(key, at)
    if (before === undefined || at - before > 65_535 || at < from) {
      at += 1
      continue
    }
    let match = 4
    while (at + match < bytes.length - 5 && bytes[before + match] === bytes[at + match]) match += 1
    sequence(at, at - before, match)
    at = from
  }
  sequence(bytes.length, 0, 0)
  return new Uint8Array(out)
}
