// node encodings.cjs, electron encodings.cjs: which words in legacy encodings a worker misreads, and, to compare, what it
// makes of any bytes and where it breaks words, as one JSON object. The two are built with ICU data of their own, which
// differ where bytes mean nothing.
const { isMainThread, parentPort, Worker } = require('node:worker_threads')

/** A word in each encoding, and its bytes. */
const WORDS = {
  'windows-1250': ['Žluťoučký', '8e6c759d6f75e86bfd'],
  'windows-1251': ['Закладки', 'c7e0eaebe0e4eae8'],
  'windows-1252': ['“Größe”', '934772f6df6594'],
  'windows-1253': ['Σελίδα', 'd3e5ebdfe4e1'],
  'windows-1254': ['İşaret', 'ddfe61726574'],
  'windows-1255': ['סימניה', 'f1e9eef0e9e4'],
  'windows-1256': ['مرجع', 'e3d1ccda'],
  'windows-1257': ['Žymė', 'de796deb'],
  'windows-1258': ['đêm', 'f0ea6d'],
  'windows-874': ['ไทย', 'e4b7c2'],
  'iso-8859-2': ['Žluť', 'ae6c75bb'],
  'iso-8859-5': ['Закладки', 'b7d0dadbd0d4dad8'],
  'iso-8859-7': ['Σελίδα', 'd3e5ebdfe4e1'],
  'iso-8859-8': ['סימניה', 'f1e9eef0e9e4'],
  'iso-8859-15': ['cœur 5 €', '63bd7572203520a4'],
  'koi8-r': ['Закладки', 'fac1cbccc1c4cbc9'],
  'koi8-u': ['Сторінка', 'f3d4cfd2a6cecbc1'],
  ibm866: ['Закладки', '87a0aaaba0a4aaa8'],
  macintosh: ['Größe', '47729aa765'],
  shift_jis: ['日本語', '93fa967b8cea'],
  'euc-jp': ['日本語', 'c6fccbdcb8ec'],
  'iso-2022-jp': ['日本語', '1b2442467c4b5c386c1b2842'],
  gb18030: ['书签', 'cae9c7a9'],
  gbk: ['书签', 'cae9c7a9'],
  big5: ['書籤', 'aed1c5d2'],
  'euc-kr': ['한국어', 'c7d1b1b9beee'],
  'utf-16le': ['Größe', '47007200f600df006500'],
  'utf-16be': ['Größe', '0047007200f600df0065']
}
const TEXTS = {
  en: "It's 3.14 o'clock, isn't it?",
  ja: '東京都に住んでいます。ブックマークを保存する',
  zh: '我在北京大学读书，保存书签',
  th: 'ฉันบันทึกที่คั่นหน้าเว็บไซต์',
  km: 'ខ្ញុំរក្សាទុកចំណាំ',
  ko: '북마크를 저장합니다'
}

if (isMainThread) {
  const worker = new Worker(__filename)
  worker.once('message', (found) => {
    process.stdout.write(JSON.stringify(found), () => process.exit(0))
  })
} else {
  const misread = Object.entries(WORDS).flatMap(([name, [word, hex]]) => {
    const read = decode(name, Buffer.from(hex, 'hex'))
    return read === word ? [] : [`${word} in ${name} as ${read}`]
  })
  const bytes = Uint8Array.from({ length: 1024 }, (_, index) => (index < 512 ? index % 256 : (index * 37) % 256))
  const anything = Object.keys(WORDS).map((name) => [name, decode(name, bytes)])
  const broken = Object.entries(TEXTS).map(([language, text]) => {
    const parts = new Intl.Segmenter(language, { granularity: 'word' }).segment(text)
    return [`words-${language}`, Array.from(parts, ({ segment }) => segment).join('|')]
  })
  parentPort.postMessage({ misread, seen: Object.fromEntries([...anything, ...broken]) })
}

function decode(name, bytes) {
  try {
    return new TextDecoder(name).decode(bytes)
  } catch (error) {
    return error.message
  }
}
