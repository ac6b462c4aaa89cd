// node encodings.cjs, electron encodings.cjs: what a worker makes of bytes in legacy encodings, and where it breaks words,
// as one JSON object. The two are built with ICU data of their own.
const { isMainThread, parentPort, Worker } = require('node:worker_threads')

const ENCODINGS =
  'windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 ' +
  'windows-874 iso-8859-2 iso-8859-5 iso-8859-7 iso-8859-8 iso-8859-15 koi8-r koi8-u ibm866 macintosh ' +
  'shift_jis euc-jp iso-2022-jp gb18030 gbk big5 euc-kr utf-16le utf-16be'
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
  const bytes = Uint8Array.from({ length: 1024 }, (_, index) => (index < 512 ? index % 256 : (index * 37) % 256))
  const decoded = ENCODINGS.split(' ').map((name) => [name, new TextDecoder(name).decode(bytes)])
  const broken = Object.entries(TEXTS).map(([language, text]) => {
    const parts = new Intl.Segmenter(language, { granularity: 'word' }).segment(text)
    return [`words-${language}`, Array.from(parts, ({ segment }) => segment).join('|')]
  })
  parentPort.postMessage(Object.fromEntries([...decoded, ...broken]))
}
