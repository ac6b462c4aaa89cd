// `node packaging/write-release.ts FOLDER`: reads the files of a release in a folder, by default dist/, and writes beside
// them what else is published with it: SHA256SUMS, server.json for the MCP registry, latest.txt, which Settings asks for, and
// recipes for Homebrew, winget and Scoop. Nothing is sent anywhere.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { releaseFiles } from './release-files.ts'
import { root } from './run.ts'

const folder = process.argv[2] ?? join(root, 'dist')
for (const [path, text] of Object.entries(releaseFiles(folder))) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(file)
}
